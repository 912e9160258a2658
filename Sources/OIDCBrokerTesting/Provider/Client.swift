// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

extension OpenIDProvider {
    /// A client that is registered at the provider, such as the broker.
    public struct Client: Sendable, Hashable {
        /// The client ID.
        public var id: String
        /// The client secret; `nil` for a client without one: a public client, which must use PKCE, or one that
        /// authenticates by a key or a certificate.
        public var secret: String?
        /// The registered redirect URIs, compared byte for byte.
        public var redirectURIs: [String]
        /// The only authentication method of the client; `nil` to allow `client_secret_basic` and `client_secret_post`,
        /// or `none` for a client without a secret, whatever the metadata announces.
        public var authentication: ClientAuthenticationMethod?
        /// The response types that the client may use; `nil` for all that the provider supports.
        public var responseTypes: [ResponseType]?
        /// The public keys of the client for `private_key_jwt` and request objects, as the JSON text of a JWK set.
        public var keySet: String?
        /// The PEM of the client's certificate for `tls_client_auth` and `self_signed_tls_client_auth`. In both cases
        /// exactly this certificate is required; its issuer is not validated.
        public var certificatePEM: String?
        /// Whether ID tokens for this client are signed with its secret by HS256 instead of with the provider's key.
        /// The secret must then have at least 32 bytes (RFC 7518 section 3.2).
        public var usesSymmetricIDTokens = false
        /// The encryption of ID tokens for this client; `nil` if they are not encrypted.
        public var idTokenEncryption: Encryption?
        /// Whether UserInfo responses are signed for this client.
        public var signsUserInfo = false

        /// What the access tokens of the client are bound to; `nil` for bearer tokens. A client that authenticates by a
        /// certificate has tokens that are bound to it in any case.
        public var tokenBinding: TokenBinding?

        /// What access tokens are bound to.
        public enum TokenBinding: Sendable, Hashable {
            /// The certificate of the connection (RFC 8705 section 3).
            case certificate
            /// The key of the proof (RFC 9449).
            case dpop
        }

        /// The encryption of ID tokens for a client.
        public struct Encryption: Sendable, Hashable {
            /// The public key of the client, as the JSON text of a JWK.
            public var key: String
            /// The `alg`: `RSA-OAEP-256` or `ECDH-ES`.
            public var keyManagement: String
            /// The `enc`: `A128GCM` or `A256GCM`.
            public var contentEncryption: String

            /// Creates an encryption to a key.
            public init(key: String, keyManagement: String, contentEncryption: String) {
                self.key = key
                self.keyManagement = keyManagement
                self.contentEncryption = contentEncryption
            }
        }

        /// Creates a client.
        public init(id: String, secret: String? = nil, redirectURIs: [String] = []) {
            self.id = id
            self.secret = secret
            self.redirectURIs = redirectURIs
        }

        /// Whether the client authenticates by the certificate of its TLS connection (RFC 8705 section 2).
        var usesMutualTLS: Bool {
            authentication == .tlsClientAuth || authentication == .selfSignedTLSClientAuth
        }

        /// Whether the client does not authenticate: it has no secret, and no method that works without one.
        var isPublic: Bool {
            secret == nil && (authentication == nil || authentication == ClientAuthenticationMethod.none)
        }
    }
}
