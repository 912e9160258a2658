// SPDX-License-Identifier: Apache-2.0

/// Why a request to a provider came to nothing.
public struct ProviderTransportError: Error, Sendable, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case unreachable
        case untrusted
        case timedOut
        case tooLarge
        case encoded
        case addressRefused
        case interrupted
        case unusableTrust
        case circuitOpen
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// No connection: name not resolved, refused, or no route.
    public static let unreachable = ProviderTransportError(.unreachable)
    /// TLS failed: the certificate is expired, of another host, or of an authority that is not trusted.
    public static let untrusted = ProviderTransportError(.untrusted)
    /// The deadline passed.
    public static let timedOut = ProviderTransportError(.timedOut)
    /// The answer is longer than the limit.
    public static let tooLarge = ProviderTransportError(.tooLarge)
    /// The answer has a Content-Encoding.
    public static let encoded = ProviderTransportError(.encoded)
    /// The host has an address that the request's trust does not allow.
    public static let addressRefused = ProviderTransportError(.addressRefused)
    /// The connection ended before the answer did.
    public static let interrupted = ProviderTransportError(.interrupted)
    /// The configured certificate authorities, or the client's certificate or its key, can not be read.
    public static let unusableTrust = ProviderTransportError(.unusableTrust)
    /// Nothing was sent: the provider has failed repeatedly, or asked to be left alone, and is not asked again yet.
    public static let circuitOpen = ProviderTransportError(.circuitOpen)

    public var description: String {
        switch code {
        case .unreachable: "no connection"
        case .untrusted: "TLS failed: the certificate is not one that is trusted for this host"
        case .timedOut: "no answer in time"
        case .tooLarge: "the answer is too large"
        case .encoded: "the answer is encoded although no encoding was asked for"
        case .addressRefused: "the host has an address that is not allowed for this provider"
        case .interrupted: "the connection ended before the answer did"
        case .unusableTrust: "the configured certificate authorities, client certificate or its key can not be read"
        case .circuitOpen: "not asked: the provider has failed repeatedly or asked to be left alone for a while"
        }
    }
}
