// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The error with which a request to a provider failed.
///
/// Two errors are equal if they are of the same kind. Further details in ``description`` are meant for operators. It
/// contains no URL and nothing that was sent.
public struct ProviderTransportError: Error, Sendable, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case unreachable
        case connectTimedOut
        case untrusted
        case timedOut
        case tooLarge
        case encoded
        case addressRefused
        case interrupted
        case unusableTrust
        case circuitOpen
        case tooManyWaiting
    }

    private let code: Code
    /// The details beyond the kind, if there are any.
    private let reason: Uncompared<StaticString?>

    private init(_ code: Code, reason: StaticString? = nil) {
        self.code = code
        self.reason = Uncompared(reason)
    }

    /// No connection could be made: the name was not resolved, the connection was refused, or there is no route.
    public static let unreachable = ProviderTransportError(.unreachable)
    /// No connection was made in time: no address responded, or the TLS handshake did not complete.
    public static let connectTimedOut = ProviderTransportError(.connectTimedOut)
    /// TLS failed: the certificate is expired, for another host, from an authority that is not trusted, or too weak.
    public static let untrusted = ProviderTransportError(.untrusted)
    /// The deadline passed: the provider did not respond on an established connection, or all connections to it were in
    /// use.
    public static let timedOut = ProviderTransportError(.timedOut)
    /// The body of the response exceeds the request's limit, its head 32 KB, or one of its fields 16 KB.
    public static let tooLarge = ProviderTransportError(.tooLarge)
    /// The response has a Content-Encoding.
    public static let encoded = ProviderTransportError(.encoded)
    /// The host has an address that the request's trust does not allow.
    public static let addressRefused = ProviderTransportError(.addressRefused)
    /// The connection ended before the response was complete.
    public static let interrupted = ProviderTransportError(.interrupted)
    /// The configured certificate authorities, or the client's certificate or its key, cannot be read.
    public static let unusableTrust = ProviderTransportError(.unusableTrust)
    /// Nothing was sent, because the provider failed repeatedly or asked not to be sent requests for some time.
    public static let circuitOpen = ProviderTransportError(.circuitOpen)

    /// Nothing was sent, because all connections to the provider are in use and too many requests are waiting for one.
    public static let tooManyWaiting = ProviderTransportError(.tooManyWaiting)

    static let connectionRefused = ProviderTransportError(.unreachable, reason: "no connection: it was refused")
    package static let nameNotFound = ProviderTransportError(
        .unreachable, reason: "no connection: the host's name was not found")
    package static let nameNotResolved = ProviderTransportError(
        .unreachable, reason: "no connection: the host's name could not be looked up")
    package static let nameServersSlow = ProviderTransportError(
        .unreachable, reason: "no connection: the name servers of the host do not respond")
    static let noRoute = ProviderTransportError(.unreachable, reason: "no connection: no route to the host")
    static let proxyRefused = ProviderTransportError(.unreachable, reason: "no connection: the proxy refused it")
    static let handshakeFailed = ProviderTransportError(
        .untrusted, reason: "TLS failed: no handshake, or a certificate that is not trusted for this host")
    package static let weakCertificate = ProviderTransportError(
        .untrusted,
        reason: "TLS failed: the certificate's key or signature is too weak or unknown (RSA below 2048 bits, SHA-1)")

    /// Whether no usable connection could be made: none at all, none in time, or none that is trusted. Every other
    /// error concerns a single request rather than the reachability of the provider.
    public var isConnectionFailure: Bool {
        switch code {
        case .unreachable, .connectTimedOut, .untrusted: true
        case .timedOut, .tooLarge, .encoded, .addressRefused, .interrupted, .unusableTrust, .circuitOpen,
            .tooManyWaiting:
            false
        }
    }

    public var description: String {
        if let reason = reason.value { return "\(reason)" }
        return switch code {
        case .unreachable: "no connection"
        case .connectTimedOut: "no connection in time"
        case .untrusted: "TLS failed: the certificate is not trusted for this host"
        case .timedOut: "no response in time"
        case .tooLarge: "the response is too large"
        case .encoded: "the response is compressed, although no compression was requested"
        case .addressRefused: "the host has an IP address that is not allowed for this provider"
        case .interrupted: "the connection ended before the response was complete"
        case .unusableTrust: "the configured certificate authorities, client certificate or private key cannot be read"
        case .circuitOpen: "not sent: the provider failed repeatedly, or asked for a pause"
        case .tooManyWaiting: "not sent: all connections are in use, and too many requests are waiting"
        }
    }
}
