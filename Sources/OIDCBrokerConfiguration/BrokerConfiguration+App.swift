// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension BrokerConfiguration {
    /// An app that may request sign-ins from the broker, configured by the keys under `auth.app.<name>.`.
    public struct App: Sendable, Hashable {
        /// The name in the configuration, which matches `[a-z][a-z0-9]{0,31}`.
        public var name: String
        /// The name of the app on pages; `nil` for one made from ``name``: `title`.
        public var title: String?
        /// How the app gets the sign-ins of its people: `kind`.
        public var kind: AppKind = .oidc
        /// The app's client ID, which is the audience of its ID tokens: `client-id`.
        public var clientID: String
        /// The client secret; `nil` if the app is a public client: `client-secret`.
        public var clientSecret: Secret?
        /// The public keys of a confidential app that authenticates by `private_key_jwt`, as the text of a JSON Web Key Set:
        /// `client-keys`.
        public var clientKeys: String?
        /// The URL of such an app's key set: `jwks-uri`.
        public var jwksURI: String?
        /// The certificate authorities to trust at ``jwksURI`` instead of the system's, as PEM bytes:
        /// `certificate-authorities`.
        public var certificateAuthorities: [UInt8]?
        /// The audience of the app's client assertions: `assertion-audience`.
        public var assertionAudience: AssertionAudience = .issuer
        /// How the app's hand-off codes are bound to the request: `code-binding`. A public app must use PKCE.
        public var codeBinding: CodeBinding = .pkce
        /// The redirect URIs, which are compared as exact strings except for the port of a loopback redirect URI (RFC
        /// 8252 section 7.3): `redirect-uris`. It is empty for an app that only brings native credentials.
        public var redirectURIs: [String]
        /// The URIs to which a user agent may be sent after a logout, compared like redirect URIs:
        /// `post-logout-redirect-uris`.
        public var postLogoutRedirectURIs: [String] = []
        /// The names of the providers that the app may use; `nil` if it may use all of them: `providers`.
        public var providers: [String]?
        /// The algorithm of the signatures of the app's ID tokens: `id-token-algorithm`. If it is `nil`, it is RS256 if
        /// there is an RSA key among ``BrokerConfiguration/signingKeys``, and ES256 otherwise.
        public var idTokenAlgorithm: IDTokenAlgorithm?
        /// Whether the app receives the provider's own tokens: `upstream-tokens`.
        public var upstreamTokens = false
        /// Whether each sign-in of the app enters an account of the server, which decides whether the person may sign
        /// in and whose identifier the app gets as the claim `account`: `accounts`. It requires a server with accounts.
        public var accounts = false
        /// The client IDs that the app itself has at providers, such as Apple's bundle IDs: `native-audiences`. ID
        /// tokens for them are accepted at the credential endpoint, each from its own provider and from this app only.
        public var nativeAudiences: [NativeAudience] = []
        /// Whether the app's native credentials, from any provider, must be bound to a nonce: `native-nonce`.
        public var nativeNonce: NativeNonce = .required
        /// The number of requests of the app to token, credential, revoke and UserInfo in a second, 1 to 1,000,000, and
        /// apart from them of its starts: `requests-per-second`. Ten times as many may come at once. It is `nil` for no
        /// limit.
        ///
        /// It caps what the app costs. Anyone can start a sign-in in the name of an app and so use its starts up, so the
        /// number must be above what the app's own people need at the busiest time. A start and the choice of a provider
        /// on its page count once.
        public var requestsPerSecond: Int?

        /// Creates an app. An omitted argument has the default of its key.
        public init(name: String, clientSecret: Secret? = nil, redirectURIs: [String]) {
            self.name = name
            clientID = name
            self.clientSecret = clientSecret
            self.redirectURIs = redirectURIs
        }
    }
}
