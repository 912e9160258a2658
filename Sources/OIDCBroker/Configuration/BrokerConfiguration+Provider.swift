// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension BrokerConfiguration {
    /// One identity provider: the keys under `auth.provider.<name>.`.
    public struct Provider: Sendable, Hashable {
        /// The name in the configuration; `[a-z][a-z0-9]{0,31}`.
        public var name: String
        /// `id`: what apps and tokens call the provider.
        public var id: String
        /// `callback-path`: the path of a callback URL of its own; `nil` if it is the shared one.
        public var callbackPath: String?
        /// `app-parameters`: the authorization parameters an app may pass on.
        public var appParameters: [String] = BrokerConfiguration.defaultAppParameters
        /// `app-scopes`: the scopes an app may ask for beyond the provider's own.
        public var appScopes: [String] = []
        /// `kind`: which kind of provider it is, and how it is spoken to.
        public var kind: Kind

        /// Which kind of provider it is, and how it is spoken to.
        public enum Kind: Sendable, Hashable {
            /// Any OpenID Provider. Its redirect URI is the broker's, whatever the configuration says.
            case oidc(ProviderConfiguration)
            /// Sign in with Apple.
            case apple(AppleProvider)
        }

        /// A provider.
        ///
        /// - Parameters:
        ///   - name: the name in the configuration.
        ///   - id: what apps and tokens call it; `nil` if it is `oidc.<name>`, or `apple.com` for Apple.
        ///   - kind: which kind of provider it is, and how it is spoken to.
        public init(name: String, id: String? = nil, kind: Kind) {
            self.name = name
            self.id = id ?? kind.name.defaultID(name: name)
            self.kind = kind
        }

        /// Any OpenID Provider; everything else has its default until it is set in ``configuration``.
        public init(name: String, issuer: String, clientID: String, clientSecret: Secret?) {
            self.init(
                name: name,
                kind: .oidc(
                    ProviderConfiguration(
                        issuer: issuer, clientID: clientID, clientSecret: clientSecret, redirectURI: "")))
        }

        /// Apple; everything else has its default until it is set in ``configuration``.
        ///
        /// - Parameters:
        ///   - name: the name in the configuration.
        ///   - clientID: the Services ID. Empty where only native credentials are taken.
        ///   - teamID: the developer team; `nil`, as `keyID` and `privateKey`, where native credentials are only
        ///     verified.
        ///   - keyID: the id of the key.
        ///   - privateKey: the text of the `.p8` file.
        public static func apple(
            name: String = "apple", clientID: String, teamID: String?, keyID: String?, privateKey: Secret?
        ) -> Self {
            var apple = AppleProvider(clientID: clientID)
            apple.teamID = teamID
            apple.keyID = keyID
            apple.privateKey = privateKey
            return Self(name: name, kind: .apple(apple))
        }

        /// How the provider is spoken to, whatever its kind. The redirect URI in it is not used: the broker makes it of
        /// its public URL and the callback path.
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

        /// What is known of Apple; `nil` for another kind of provider, of which setting it changes nothing.
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
