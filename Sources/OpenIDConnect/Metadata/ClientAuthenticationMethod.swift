// SPDX-License-Identifier: Apache-2.0

/// How a client proves itself at the token endpoint (OpenID Connect Core 1.0 section 9, RFC 8705 section 2).
public struct ClientAuthenticationMethod: Sendable, Hashable, CustomStringConvertible {
    private enum Method: String {
        case tlsClientAuth = "tls_client_auth"
        case selfSignedTLSClientAuth = "self_signed_tls_client_auth"
        case privateKeyJWT = "private_key_jwt"
        case clientSecretJWT = "client_secret_jwt"
        case clientSecretBasic = "client_secret_basic"
        case clientSecretPost = "client_secret_post"
        case none = "none"
    }

    private let method: Method

    private init(_ method: Method) {
        self.method = method
    }

    /// A TLS client certificate of an authority that the provider trusts (RFC 8705 section 2.1).
    public static let tlsClientAuth = Self(.tlsClientAuth)
    /// A TLS client certificate that the provider knows itself (RFC 8705 section 2.2).
    public static let selfSignedTLSClientAuth = Self(.selfSignedTLSClientAuth)
    /// A token signed with the client's private key (RFC 7523 section 2.2).
    public static let privateKeyJWT = Self(.privateKeyJWT)
    /// A token authenticated with the client secret (RFC 7523 section 2.2).
    public static let clientSecretJWT = Self(.clientSecretJWT)
    /// Client id and secret in an HTTP Basic header, each form-encoded first (RFC 6749 section 2.3.1).
    public static let clientSecretBasic = Self(.clientSecretBasic)
    /// Client id and secret in the form.
    public static let clientSecretPost = Self(.clientSecretPost)
    /// A public client: the client id alone.
    public static let none = Self(.none)

    /// Every method, the strongest first, of those a client can do without having been registered for it by name.
    ///
    /// A certificate and a private key are there only where somebody registered them. `client_secret_jwt` comes after the
    /// methods that send the secret: providers announce it for all their clients and take it only from those registered
    /// for it (a secret alone says nothing), so choosing it unasked would break sign-ins that work.
    package static let strongestFirst: [ClientAuthenticationMethod] = [
        .tlsClientAuth, .selfSignedTLSClientAuth, .privateKeyJWT, .clientSecretBasic, .clientSecretPost,
        .clientSecretJWT, .none,
    ]

    /// A method from its registered name; nil for one that is not supported.
    public init?(name: String) {
        guard let method = Method(rawValue: name) else { return nil }
        self.init(method)
    }

    /// The registered name.
    public var name: String { method.rawValue }

    public var description: String { name }

    /// Whether the proof is the connection's certificate, so that requests go to the endpoints for it (RFC 8705
    /// section 5).
    package var isMutualTLS: Bool { method == .tlsClientAuth || method == .selfSignedTLSClientAuth }
}
