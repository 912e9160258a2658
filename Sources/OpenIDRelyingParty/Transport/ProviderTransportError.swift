// SPDX-License-Identifier: Apache-2.0

/// Why a request to a provider came to nothing.
///
/// Two errors are equal where they are of one kind; what ``description`` says beyond it is for people. It names no URL
/// and nothing that was sent.
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
    /// What is said of it, where that is more than the kind says.
    private let reason: StaticString?

    private init(_ code: Code, reason: StaticString? = nil) {
        self.code = code
        self.reason = reason
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// No connection: name not resolved, refused, or no route.
    public static let unreachable = ProviderTransportError(.unreachable)
    /// No connection within the time for one: no address answered, or TLS was not agreed on.
    public static let connectTimedOut = ProviderTransportError(.connectTimedOut)
    /// TLS failed: the certificate is expired, of another host, of an authority that is not trusted, or too weak.
    public static let untrusted = ProviderTransportError(.untrusted)
    /// The deadline passed: the provider was connected to and did not answer, or all connections to it were in use.
    public static let timedOut = ProviderTransportError(.timedOut)
    /// The answer is longer than the limit, or its head than 32 KB, or a field of it than 16 KB.
    public static let tooLarge = ProviderTransportError(.tooLarge)
    /// The answer has a Content-Encoding.
    public static let encoded = ProviderTransportError(.encoded)
    /// The host has an address that the request's trust does not allow.
    public static let addressRefused = ProviderTransportError(.addressRefused)
    /// The connection ended before the response did.
    public static let interrupted = ProviderTransportError(.interrupted)
    /// The configured certificate authorities, or the client's certificate or its key, cannot be read.
    public static let unusableTrust = ProviderTransportError(.unusableTrust)
    /// Nothing was sent: the provider has failed repeatedly, or asked to be left alone, and is not asked again yet.
    public static let circuitOpen = ProviderTransportError(.circuitOpen)

    /// Nothing was sent: all connections to the provider are in use, and too many requests wait for one.
    public static let tooManyWaiting = ProviderTransportError(.tooManyWaiting)

    static let connectionRefused = ProviderTransportError(.unreachable, reason: "no connection: it was refused")
    static let nameNotFound = ProviderTransportError(
        .unreachable, reason: "no connection: the host's name was not found")
    static let nameNotResolved = ProviderTransportError(
        .unreachable, reason: "no connection: the host's name could not be looked up")
    static let nameServersSlow = ProviderTransportError(
        .unreachable, reason: "no connection: the name servers of the host do not answer")
    static let noRoute = ProviderTransportError(.unreachable, reason: "no connection: no route to the host")
    static let proxyRefused = ProviderTransportError(.unreachable, reason: "no connection: the proxy made none")
    static let handshakeFailed = ProviderTransportError(
        .untrusted, reason: "TLS failed: no handshake, or the certificate is not one that is trusted for this host")
    static let weakCertificate = ProviderTransportError(
        .untrusted,
        reason: "TLS failed: the certificate's key or signature is too weak or unknown (RSA below 2048 bits, SHA-1)")

    /// Whether no connection could be made that a request may be sent on: none at all, none in time, or none that is
    /// trusted. All else says something of a request, not of the way to the provider.
    public var isConnectionFailure: Bool {
        switch code {
        case .unreachable, .connectTimedOut, .untrusted: true
        case .timedOut, .tooLarge, .encoded, .addressRefused, .interrupted, .unusableTrust, .circuitOpen,
            .tooManyWaiting:
            false
        }
    }

    public var description: String {
        if let reason { return "\(reason)" }
        return switch code {
        case .unreachable: "no connection"
        case .connectTimedOut: "no connection in time"
        case .untrusted: "TLS failed: the certificate is not one that is trusted for this host"
        case .timedOut: "no response in time"
        case .tooLarge: "the response is too large"
        case .encoded: "the response is encoded although no encoding was asked for"
        case .addressRefused: "the host has an address that is not allowed for this provider"
        case .interrupted: "the connection ended before the response did"
        case .unusableTrust: "the configured certificate authorities, client certificate or its key cannot be read"
        case .circuitOpen: "not asked: the provider has failed repeatedly or asked to be left alone for a while"
        case .tooManyWaiting: "not asked: all connections are in use, and too many requests wait for one"
        }
    }
}
