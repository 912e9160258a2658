// SPDX-License-Identifier: Apache-2.0

public import OpenIDConnect

extension OpenIDProvider {
    /// A client that is registered with the provider: to the provider, the broker is one.
    public struct Client: Sendable, Hashable {
        /// The client id.
        public var id: String
        /// The client secret; nil for a public client, which must use PKCE.
        public var secret: String?
        /// The redirect URIs that are allowed, compared byte for byte.
        public var redirectURIs: [String]
        /// The only way in which the client may prove itself at the token endpoint; nil allows `client_secret_basic`
        /// and `client_secret_post`, whatever the metadata announces.
        public var authentication: ClientAuthenticationMethod?

        /// Registers a client.
        public init(
            id: String,
            secret: String? = nil,
            redirectURIs: [String] = [],
            authentication: ClientAuthenticationMethod? = nil
        ) {
            self.id = id
            self.secret = secret
            self.redirectURIs = redirectURIs
            self.authentication = authentication
        }
    }
}
