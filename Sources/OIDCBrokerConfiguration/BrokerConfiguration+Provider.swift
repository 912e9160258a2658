// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension BrokerConfiguration {
    /// A provider at which users sign in: the keys under `auth.provider.<name>.`.
    public struct Provider: Sendable, Hashable {
        /// The name in the configuration, which matches `[a-z][a-z0-9]{0,31}`.
        public var name: String
        /// The identifier of the provider for apps and in tokens: `id`.
        public var id: String
        /// The name of the provider on pages; `nil` to use ``name``, capitalized: `title`.
        public var title: String?
        /// The path of its own callback URL; `nil` for the common one: `callback-path`.
        public var callbackPath: String?
        /// The authorization parameters that an app may pass to the provider: `app-parameters`.
        public var appParameters: [String] = BrokerConfiguration.defaultAppParameters
        /// The scopes that an app may request in addition to the provider's own: `app-scopes`.
        public var appScopes: [String] = []
        /// The further claims that apps get, beside those of the scopes `profile` and `email`: `claims`.
        public var claims: [ProviderClaim] = []
        /// Whether a logout continues at the provider's end session endpoint, if it has one: `logout`. Register
        /// `<public-url><path-prefix>/logout/done` at the provider as a post-logout redirect URI.
        public var logout = true
        /// Whether the provider's logout tokens are accepted at `<path-prefix>/notifications/<name>` (OpenID Connect
        /// Back-Channel Logout 1.0): `back-channel-logout`.
        public var backChannelLogout = false
        /// Whether a verified email of this provider may link accounts: `links-by-email`. Both providers with that email must
        /// have it. Only a server with accounts uses it, and reads it only at its start, not at a reload.
        public var linksByEmail = false
        /// The day on which the client secret expires, as its first second since 1970 in UTC; `nil` if unknown:
        /// `client-secret-expires`. It is only shown to operators.
        public var clientSecretExpires: Int64?
        /// How long a login may take, from its start to its callback, in whole seconds within ``loginLifetimeBounds``:
        /// `login-lifetime-seconds`. A login keeps the lifetime with which it began.
        public var loginLifetime: Duration = .seconds(600)
        /// The kind of the provider and its configuration: `kind`.
        public var kind: Kind

        /// The bounds of ``loginLifetime``: ten minutes to an hour.
        public static let loginLifetimeBounds = Duration.seconds(600)...Duration.seconds(3600)

        /// A kind of provider and its configuration.
        public enum Kind: Sendable, Hashable {
            /// Any OpenID Provider. Its redirect URI is the broker's, regardless of the configuration.
            case oidc(ProviderConfiguration)
            /// Sign in with Apple.
            case apple(AppleProvider)
        }

        /// Creates a provider.
        ///
        /// - Parameters:
        ///   - name: The name in the configuration.
        ///   - id: The identifier toward apps and in tokens; `nil` for `oidc.<name>`, or `apple.com` for Apple.
        ///   - kind: The kind of the provider and its configuration.
        public init(name: String, id: String? = nil, kind: Kind) {
            self.name = name
            self.id = id ?? kind.name.defaultID(name: name)
            self.kind = kind
        }

        /// Creates the configuration of any OpenID Provider. Set everything else in ``configuration``.
        public init(name: String, issuer: String, clientID: String, clientSecret: Secret?) {
            self.init(
                name: name,
                kind: .oidc(
                    ProviderConfiguration(
                        issuer: issuer, clientID: clientID, clientSecret: clientSecret, redirectURI: "")))
        }

        /// Returns the configuration of Apple. Set everything else in ``configuration``.
        ///
        /// - Parameters:
        ///   - name: The name in the configuration.
        ///   - clientID: The Services ID, which is empty if only native credentials are accepted.
        ///   - teamID: The id of the developer team; `nil`, as `keyID` and `privateKey`, if native credentials are only
        ///     verified.
        ///   - keyID: The id of the key.
        ///   - privateKey: The text of the `.p8` file.
        public static func apple(
            name: String = "apple", clientID: String, teamID: String?, keyID: String?, privateKey: Secret?
        ) -> Self {
            var apple = AppleProvider(clientID: clientID)
            apple.teamID = teamID
            apple.keyID = keyID
            apple.privateKey = privateKey
            return Self(name: name, kind: .apple(apple))
        }

        /// The configuration of the relying party, regardless of the kind of provider. Its redirect URI is not used:
        /// the broker derives it from its public URL and the callback path.
        public var configuration: ProviderConfiguration {
            get {
                switch kind {
                case .oidc(let configuration): configuration
                case .apple(let apple): apple.configuration
                }
            }
            set {
                switch kind {
                case .oidc:
                    kind = .oidc(newValue)
                case .apple(var apple):
                    apple.configuration = newValue
                    kind = .apple(apple)
                }
            }
        }

        /// The configuration of Apple; `nil` if the provider is of another kind, and then setting it has no effect.
        public var apple: AppleProvider? {
            get {
                guard case .apple(let apple) = kind else { return nil }
                return apple
            }
            set {
                guard case .apple = kind, let newValue else { return }
                kind = .apple(newValue)
            }
        }
    }
}
