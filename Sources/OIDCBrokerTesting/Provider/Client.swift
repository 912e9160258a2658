// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

extension OpenIDProvider {
    /// A client that is registered with the provider: to the provider, the broker is one.
    public struct Client: Sendable, Hashable {
        /// The client id.
        public var id: String
        /// The client secret; nil for a client without one: a public client, which must use PKCE, or one that proves
        /// itself by a key or a certificate.
        public var secret: String?
        /// The redirect URIs that are allowed, compared byte for byte.
        public var redirectURIs: [String]
        /// The only way in which the client may prove itself; nil allows `client_secret_basic` and
        /// `client_secret_post`, or `none` for a client without a secret, whatever the metadata announces.
        public var authentication: ClientAuthenticationMethod?
        /// The response types the client may use; nil: all that the provider has.
        public var responseTypes: [ResponseType]?
        /// The client's public keys for `private_key_jwt`: the JSON text of a JWK set.
        public var keySet: String?
        /// The client's certificate for `tls_client_auth` and `self_signed_tls_client_auth`, PEM. It must be this one
        /// in both cases: nobody validates who issued it.
        public var certificatePEM: String?
        /// Whether the client's ID tokens are signed with its own secret by HS256, which must then have at least 32
        /// bytes (RFC 7518 section 3.2), instead of with the provider's key.
        public var usesSymmetricIDTokens: Bool
        /// How the client's ID tokens are encrypted; nil: not at all.
        public var idTokenEncryption: Encryption?
        /// Whether UserInfo is signed for this client.
        public var signsUserInfo: Bool

        /// What is encrypted for a client, and how.
        public struct Encryption: Sendable, Hashable {
            /// The client's public key: the JSON text of a JWK.
            public var key: String
            /// `alg`: `RSA-OAEP-256` or `ECDH-ES`.
            public var keyManagement: String
            /// `enc`: `A128GCM` or `A256GCM`.
            public var contentEncryption: String

            /// Encryption to a key.
            public init(key: String, keyManagement: String, contentEncryption: String) {
                self.key = key
                self.keyManagement = keyManagement
                self.contentEncryption = contentEncryption
            }
        }

        /// Registers a client.
        public init(
            id: String,
            secret: String? = nil,
            redirectURIs: [String] = [],
            authentication: ClientAuthenticationMethod? = nil,
            responseTypes: [ResponseType]? = nil,
            keySet: String? = nil,
            certificatePEM: String? = nil,
            usesSymmetricIDTokens: Bool = false,
            idTokenEncryption: Encryption? = nil,
            signsUserInfo: Bool = false
        ) {
            self.id = id
            self.secret = secret
            self.redirectURIs = redirectURIs
            self.authentication = authentication
            self.responseTypes = responseTypes
            self.keySet = keySet
            self.certificatePEM = certificatePEM
            self.usesSymmetricIDTokens = usesSymmetricIDTokens
            self.idTokenEncryption = idTokenEncryption
            self.signsUserInfo = signsUserInfo
        }

        /// Whether the client proves itself by the certificate of its TLS connection (RFC 8705 section 2).
        var usesMutualTLS: Bool {
            authentication == .tlsClientAuth || authentication == .selfSignedTLSClientAuth
        }

        /// Whether the client proves itself by nothing at all: no secret, and no method that does without one.
        var isPublic: Bool {
            secret == nil && (authentication == nil || authentication == ClientAuthenticationMethod.none)
        }
    }
}
