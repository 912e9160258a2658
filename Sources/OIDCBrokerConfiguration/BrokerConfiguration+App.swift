// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension BrokerConfiguration {
    /// An app that signs its users in through the broker: the keys under `auth.app.<name>.`.
    public struct App: Sendable, Hashable {
        /// The name in the configuration, which matches `[a-z][a-z0-9]{0,31}`.
        public var name: String
        /// The name of the app on pages; `nil` to use ``name``, capitalized: `title`.
        public var title: String?
        /// How the app gets the sign-ins of its users: `kind`.
        public var kind: AppKind = .oidc
        /// The app's client ID, and the audience of its ID tokens: `client-id`.
        public var clientID: String
        /// The client secret; `nil` if the app is a public client or has ``clientSecrets``: `client-secret`.
        public var clientSecret: Secret?
        /// One or two client secrets instead, newest first. Each authenticates the app, so that it can change from the
        /// old one to the new one at any time: `client-secrets`; `nil` for none.
        public var clientSecrets: [Secret]?
        /// The public keys of an app that authenticates by `private_key_jwt`, as a JSON Web Key Set: `client-keys`.
        public var clientKeys: String?
        /// The URL of that key set, instead: `jwks-uri`.
        public var jwksURI: String?
        /// The certificate authorities to trust at ``jwksURI`` and ``backchannelLogoutURI`` instead of the system's, as PEM
        /// bytes: `certificate-authorities`.
        public var certificateAuthorities: [UInt8]?
        /// The audience of the app's client assertions: `assertion-audience`.
        public var assertionAudience: AssertionAudience = .issuer
        /// Whether the token endpoint accepts a client assertion of the app more than once until it expires, as OpenID
        /// Connect Core 1.0 section 9 lets the parties agree: `assertion-reuse`. It must then have an `iat`, at most ten
        /// minutes before its `exp`.
        public var assertionReuse = false
        /// How the app's hand-off codes are bound to the request: `code-binding`. A public app must use PKCE.
        public var codeBinding: CodeBinding = .pkce
        /// The redirect URIs, compared byte for byte except for the port of a loopback one (RFC 8252 section 7.3):
        /// `redirect-uris`. Empty for an app that only sends native credentials.
        public var redirectURIs: [String]
        /// The origins of the app's pages beside those of the redirect URIs, which may read the responses of token, UserInfo
        /// and revocation (Fetch Standard, CORS protocol): `web-origins`. `capacitor://localhost` and the like are those of
        /// every hybrid app, and no credential is sent to one.
        public var webOrigins: [String] = []
        /// The URIs to which a user agent may be sent after a logout, compared like redirect URIs:
        /// `post-logout-redirect-uris`.
        public var postLogoutRedirectURIs: [String] = []
        /// The URL at which the app is told that a session of it ended (OpenID Connect Back-Channel Logout 1.0):
        /// `backchannel-logout-uri`; `nil` if it is not told. This requires ``accounts``: the session is one of an account.
        public var backchannelLogoutURI: String?
        /// The names of the providers that the app may use; `nil` if it may use all of them: `providers`.
        public var providers: [String]?
        /// The claims that users must have to sign in to the app: `require`.
        public var require = RequiredClaims()
        /// The signature algorithm of the app's ID tokens: `id-token-algorithm`; `nil` for RS256 if
        /// ``BrokerConfiguration/signingKeys`` has an RSA key, and otherwise ES256.
        public var idTokenAlgorithm: IDTokenAlgorithm?
        /// Which claims the app's ID tokens have: `id-token-claims`.
        public var idTokenClaims: IDTokenClaims = .all
        /// The lifetime of the app's ID tokens, in whole seconds within ``tokenLifetimeBounds``: `id-token-lifetime-seconds`.
        public var idTokenLifetime: Duration = .seconds(3600)
        /// The lifetime of the app's access tokens, in whole seconds within ``tokenLifetimeBounds``:
        /// `access-token-lifetime-seconds`. Tokens that were issued keep the lifetime that they have.
        public var accessTokenLifetime: Duration = .seconds(3600)
        /// The names of the resources for which the app may get access tokens: `resources`.
        public var resources: [String] = []
        /// The one of ``resources`` whose access tokens the app gets if its request names none: `default-resource`; `nil` for
        /// an opaque access token, which UserInfo alone takes.
        public var defaultResource: String?

        /// Whether the app receives the provider's own tokens: `upstream-tokens`.
        public var upstreamTokens = false
        /// Whether each sign-in of the app belongs to an account of the server: `accounts`. The account must be enabled, and
        /// the app gets its identifier as the claim `account`. This requires a server with accounts.
        public var accounts = false
        /// Whether the app may have refresh tokens, with the scope `offline_access`: `refresh-tokens`. This requires
        /// ``accounts``: a refresh token is a session of an account.
        public var refreshTokens = false
        /// Whether each refresh replaces the refresh token of a confidential app, as it always does that of a public one
        /// (RFC 9700 section 4.14.2): `rotate-refresh-tokens`.
        public var rotateRefreshTokens = false
        /// How long a replaced refresh token may be repeated, 0 to 60 whole seconds: `refresh-token-repetition-seconds`.
        public var refreshTokenRepetition: Duration = .seconds(10)
        /// How long a session of the app lives without a refresh, in whole seconds within ``refreshTokenLifetimeBounds``:
        /// `refresh-token-idle-lifetime-seconds`.
        public var refreshTokenIdleLifetime: Duration = .seconds(2_592_000)
        /// How long a session of the app lives in all, in whole seconds within ``refreshTokenLifetimeBounds``:
        /// `refresh-token-lifetime-seconds`; `nil` for 90 days, or 12 hours if the app has ``require``, or a provider that it
        /// may use has ``BrokerConfiguration/Provider/claims``.
        public var refreshTokenLifetime: Duration?
        /// Whether refresh tokens of the app remain when a logout token of the provider ends the session in which they began
        /// (OpenID Connect Back-Channel Logout 1.0 section 2.7), unless it has the event `revoke_offline_access`:
        /// `refresh-tokens-outlive-logout`.
        public var refreshTokensOutliveLogout = false
        /// The client IDs that the app itself has at providers, such as Apple's bundle IDs: `native-audiences`. The credential
        /// endpoint accepts ID tokens for them, each from its own provider and from this app only.
        public var nativeAudiences: [NativeAudience] = []
        /// Whether the app's native credentials, from any provider, must be bound to a nonce: `native-nonce`.
        public var nativeNonce: NativeNonce = .required
        /// The maximum of requests in a second, 1 to 1,000,000: `requests-per-second`; `nil` for no limit. Requests to token,
        /// credential, revoke and UserInfo count together, and starts separately. Ten times as many may come at once.
        ///
        /// It limits what the app costs. Anyone can start a sign-in for an app, and so use up its starts: set it above what
        /// the app's own users need at the busiest time. A start and the choice of a provider on its page count once.
        public var requestsPerSecond: Int?

        /// The bounds of ``idTokenLifetime`` and ``accessTokenLifetime``: five minutes to a day.
        public static let tokenLifetimeBounds = Duration.seconds(300)...Duration.seconds(86_400)

        /// The bounds of ``refreshTokenIdleLifetime`` and ``refreshTokenLifetime``: five minutes to 400 days.
        public static let refreshTokenLifetimeBounds = Duration.seconds(300)...Duration.seconds(34_560_000)

        /// Creates an app. An omitted argument has the default of its key.
        public init(name: String, clientSecret: Secret? = nil, redirectURIs: [String]) {
            self.name = name
            clientID = name
            self.clientSecret = clientSecret
            self.redirectURIs = redirectURIs
        }
    }
}
