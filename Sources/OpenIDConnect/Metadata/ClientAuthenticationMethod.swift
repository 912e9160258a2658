// SPDX-License-Identifier: Apache-2.0

/// A method of client authentication at the token endpoint (OpenID Connect Core 1.0 section 9, RFC 8705 section 2).
public struct ClientAuthenticationMethod: Sendable, Hashable, CustomStringConvertible {
    /// The registered name.
    public let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// A TLS client certificate from a certificate authority that the provider trusts (RFC 8705 section 2.1).
    public static let tlsClientAuth = Self("tls_client_auth")
    /// A TLS client certificate that is registered at the provider (RFC 8705 section 2.2).
    public static let selfSignedTLSClientAuth = Self("self_signed_tls_client_auth")
    /// A token signed with the client's private key (RFC 7523 section 2.2).
    public static let privateKeyJWT = Self("private_key_jwt")
    /// A token authenticated with the client secret (RFC 7523 section 2.2).
    public static let clientSecretJWT = Self("client_secret_jwt")
    /// The client ID and secret in an HTTP Basic header, each form-encoded first (RFC 6749 section 2.3.1).
    public static let clientSecretBasic = Self("client_secret_basic")
    /// The client ID and secret in the form.
    public static let clientSecretPost = Self("client_secret_post")
    /// A public client, which sends only its client ID.
    public static let none = Self("none")

    /// All methods that a client can use without an explicit registration, strongest first.
    ///
    /// A client has a certificate or a private key only if it was registered. `client_secret_jwt` comes after the
    /// methods that send the secret, because providers announce it for all clients but accept it only from those
    /// registered for it. Choosing it by default would break working configurations.
    package static let strongestFirst: [ClientAuthenticationMethod] = [
        .tlsClientAuth, .selfSignedTLSClientAuth, .privateKeyJWT, .clientSecretBasic, .clientSecretPost,
        .clientSecretJWT, .none,
    ]

    /// Creates a method from its registered name; `nil` if it is not supported.
    public init?(name: String) {
        guard let method = Self.strongestFirst.first(where: { $0.name == name }) else { return nil }
        self = method
    }

    public var description: String { name }

    /// Whether the client authenticates by the certificate of the connection, so that requests go to the mutual-TLS
    /// endpoints (RFC 8705 section 5).
    package var isMutualTLS: Bool { self == .tlsClientAuth || self == .selfSignedTLSClientAuth }
}
