// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

/// The keys under `auth.app.<name>.`.
extension BrokerConfiguration.App: SettingSection {
    package static let settings: [Setting<BrokerConfiguration.App>] = [
        Setting(
            "kind", \.kind,
            .named("oidc or in-process", { BrokerConfiguration.AppKind(rawValue: $0) }, show: { $0.rawValue }),
            "whether the app is an OpenID client, or the server that embeds the broker, whose handler gets each sign-in "
                + "(`in-process`); the keys that do not concern it are refused"),
        Setting(
            "title", \.title, .text, "the name of the app on pages",
            default: "the name in the configuration, capitalized", bounds: .title),
        Setting(
            "client-id", \.clientID, .text, "the client id of the app, which is the audience of its ID tokens",
            bounds: SettingBounds("1 to 256 visible ASCII characters, no other app's client id") {
                ConfigurationSyntax.isVisible($0) && $0.utf8.count <= 256
            }
        ).ofClient,
        Setting(
            "client-secret", \.clientSecret, .secret(),
            "the client secret of a confidential app; a public app has none",
            bounds: SettingBounds(
                "at least \(shortestClientSecret) visible ASCII characters; leave the key out for a public app"
            ) { ConfigurationSyntax.isVisible($0.exposed) && $0.exposed.utf8.count >= shortestClientSecret }
        ).ofClient,
        Setting(
            "client-keys", \.clientKeys, .textOrFile,
            "the public keys of a confidential app that authenticates by `private_key_jwt`, as a JSON Web Key Set",
            bounds: SettingBounds("a JSON Web Key Set of public keys, all of which can be used") {
                keySet($0) != nil
            }
        ).ofClient,
        Setting(
            "jwks-uri", \.jwksURI, .text, "the URL of the key set of such an app, instead of `client-keys`",
            bounds: SettingBounds("an https URL without a fragment (http only on loopback)") { text in
                AbsoluteURL(text).map { $0.isHTTPS || $0.isLoopback } ?? false
            }
        ).ofClient,
        Setting(
            "assertion-audience", \.assertionAudience,
            .named(
                "issuer or token-endpoint", { BrokerConfiguration.AssertionAudience(rawValue: $0) },
                show: { $0.rawValue }),
            "the only audience that the client assertions of such an app may have"
        ).ofClient,
        Setting(
            "code-binding", \.codeBinding,
            .named("pkce or nonce", { BrokerConfiguration.CodeBinding(rawValue: $0) }, show: { $0.rawValue }),
            "how hand-off codes are bound to the request: by PKCE, or, for a confidential app, by PKCE or a `nonce`"
        ).ofClient,
        Setting(
            "redirect-uris", \.redirectURIs, .list,
            "the redirect URIs of the app; the port of a loopback one is not compared",
            default: "required, unless there are `native-audiences`",
            bounds: SettingBounds("at least one (none only with native-audiences), \(RedirectURI.expectation)") {
                $0.allSatisfy { RedirectURI($0) != nil }
            }
        ).ofClient,
        Setting(
            "post-logout-redirect-uris", \.postLogoutRedirectURIs, .list,
            "the URIs to which a user agent may be sent after a logout (OpenID Connect RP-Initiated Logout 1.0)",
            bounds: SettingBounds("\(RedirectURI.expectation), each given once") {
                $0.allSatisfy { RedirectURI($0) != nil } && Set($0).count == $0.count
            }
        ).ofClient,
        Setting(
            "providers", \.providers, .list, "the providers that the app may use", default: "all",
            bounds: SettingBounds("names from auth.providers, at least one; leave the key out for all") {
                !$0.isEmpty
            }),
        Setting(
            "id-token-algorithm", \.idTokenAlgorithm,
            .named(
                "RS256 or ES256, for which auth.signing-keys has a key",
                { BrokerConfiguration.IDTokenAlgorithm(rawValue: $0) }, show: { $0.rawValue }),
            "the algorithm of the signatures of the app's ID tokens",
            default: "RS256 if `auth.signing-keys` has an RSA key, else ES256"
        ).ofClient,
        Setting("upstream-tokens", \.upstreamTokens, .bool, "whether the app receives the provider's own tokens"),
        Setting(
            "accounts", \.accounts, .bool,
            "whether each sign-in of the app enters an account of the server, whose identifier the app gets as the "
                + "claim `account`; it requires a server with accounts"),
        Setting(
            "native-audiences", \.nativeAudiences, .nativeAudiences,
            "the app's own client IDs at providers, such as a bundle ID at Apple; each belongs to one app only and is "
                + "never a provider's `client-id`; see [Native apps and accounts](doc:/OIDCBroker/NativeAppsAndAccounts)",
            default: "none"
        ).ofClient,
        Setting(
            "native-nonce", \.nativeNonce,
            .named("required or optional", { BrokerConfiguration.NativeNonce(rawValue: $0) }, show: { $0.rawValue }),
            "whether native credentials, from any provider, must be bound to a nonce"
        ).ofClient,
        Setting(
            "requests-per-second", \.requestsPerSecond, .integer,
            "the number of requests of the app to token, credential, revoke and UserInfo in a second, and apart from them "
                + "of its starts; ten times as many may come at once; a cap on what the app costs, which must be above "
                + "what its own people need at the busiest time: anyone can start a sign-in in the name of an app, and "
                + "so use its starts up", default: "none: no limit",
            bounds: .range(requestsPerSecondBounds)),
    ]

    /// The bounds of `requests-per-second`.
    package static let requestsPerSecondBounds = 1...1_000_000

    /// The minimum length of the secret of a confidential app, in characters. As random base64 it has 96 bits.
    private static let shortestClientSecret = 16

    /// The prefix of the keys.
    package var prefix: String { "auth.app.\(name)." }

    /// Creates an app whose configuration has not been read yet.
    package init(unknown name: String) { self.init(name: name, redirectURIs: []) }
}

extension Setting where Section == BrokerConfiguration.App {
    /// The same key, which an app of kind `in-process` does not have.
    fileprivate var ofClient: Self {
        only(where: { $0.kind == .oidc }, otherwise: "nothing: an app of kind in-process is not a client")
    }
}
