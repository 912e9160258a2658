// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

/// The keys under `auth.app.<name>.`.
extension BrokerConfiguration.App: SettingSection {
    package static let settings: [Setting<BrokerConfiguration.App>] = [
        Setting(
            "kind", \.kind,
            .named("oidc or in-process", { BrokerConfiguration.AppKind(rawValue: $0) }, show: { $0.rawValue }),
            "`oidc` for an OpenID Connect client, or `in-process` for the server that embeds the broker, whose handler "
                + "receives each sign-in; keys of the other kind are refused"),
        Setting(
            "title", \.title, .text, "the name of the app on pages",
            default: "the name in the configuration, capitalized", bounds: .title),
        Setting(
            "client-id", \.clientID, .text, "the client ID of the app, the audience of its ID tokens",
            bounds: SettingBounds(
                "1 to 256 visible ASCII characters, no other app's client id",
                reason: { ConfigurationSyntax.invisibleReason($0) }
            ) {
                ConfigurationSyntax.isVisible($0) && $0.utf8.count <= 256
            }
        ).ofClient,
        Setting(
            "client-secret", \.clientSecret, .secret(),
            "the client secret of a confidential app; omit it for a public app",
            bounds: SettingBounds(
                "at least \(shortestClientSecret) visible ASCII characters; leave the key out for a public app",
                reason: { ConfigurationSyntax.invisibleReason($0.exposed) }
            ) { isClientSecret($0) }
        ).ofClient,
        Setting(
            "client-secrets", \.clientSecrets, .secrets(clientSecretsTake),
            "one or two client secrets instead of `client-secret`, newest first: both are accepted while the app changes "
                + "from one to the other",
            bounds: SettingBounds(clientSecretsTake, reason: { clientSecretsReason($0) }) {
                clientSecretsReason($0) == nil
            }
        ).ofClient,
        Setting(
            "client-keys", \.clientKeys, .textOrFile,
            "the public keys of a confidential app that uses `private_key_jwt`, as a JSON Web Key Set",
            bounds: SettingBounds("a JSON Web Key Set of public keys, at least one of them usable") {
                keySet($0) != nil
            }
        ).ofClient,
        Setting(
            "jwks-uri", \.jwksURI, .text, "the URL of the app's key set, instead of `client-keys`",
            bounds: urlBounds
        ).ofClient,
        Setting(
            "certificate-authorities", \.certificateAuthorities, .file("the path of a PEM file that can be read"),
            "the certificate authorities to trust at `jwks-uri` and `backchannel-logout-uri` instead of the system's",
            default: "the system's"
        ).check { app in
            app.certificateAuthorities == nil || app.jwksURI != nil || app.backchannelLogoutURI != nil
                ? nil : "no value without jwks-uri or backchannel-logout-uri"
        }.ofClient,
        Setting(
            "assertion-audience", \.assertionAudience,
            .named(
                "issuer or token-endpoint", { BrokerConfiguration.AssertionAudience(rawValue: $0) },
                show: { $0.rawValue }),
            "the audience that the app's client assertions must have"
        ).ofClient,
        Setting(
            "assertion-reuse", \.assertionReuse, .bool,
            "whether the token endpoint accepts a client assertion of the app more than once until it expires, for "
                + "libraries such as MSAL that send one for several requests"
        ).check { app in
            app.assertionReuse && app.clientKeys == nil && app.jwksURI == nil
                ? "false without client-keys or jwks-uri" : nil
        }.ofClient,
        Setting(
            "code-binding", \.codeBinding,
            .named(
                "pkce, nonce or none", { BrokerConfiguration.CodeBinding(rawValue: $0) }, show: { $0.rawValue }),
            "how hand-off codes are bound to the request: `pkce`, or, for confidential apps only, `nonce` (PKCE or a `nonce`) "
                + "or `none`, for a client that sends neither, with https redirect URIs; see [For apps](doc:ForApps)"
        ).ofClient,
        Setting(
            "redirect-uris", \.redirectURIs, .list,
            "the redirect URIs of the app, compared exactly; the port of a loopback URI is ignored",
            default: "required, unless there are `native-audiences`",
            bounds: SettingBounds(
                "at least one (none only with native-audiences), \(RedirectURI.expectation)",
                reason: { RedirectURI.reason(of: $0) }
            ) {
                $0.allSatisfy { RedirectURI($0) != nil }
            }
        ).ofClient,
        Setting(
            "web-origins", \.webOrigins, .list,
            "further origins whose pages may read the responses of token, UserInfo and revocation, besides those of "
                + "`redirect-uris`: such as `capacitor://localhost` of a hybrid app; users are never redirected to them",
            bounds: SettingBounds(
                "origins as browsers write them, each given once: https, http on a loopback host, chrome-extension, "
                    + "moz-extension, or capacitor, ionic, tauri or app with localhost"
            ) {
                $0.allSatisfy(WebOrigin.isWritten) && Set($0).count == $0.count
            }
        ).ofClient,
        Setting(
            "post-logout-redirect-uris", \.postLogoutRedirectURIs, .list,
            "the URIs to which users may return after a logout (OpenID Connect RP-Initiated Logout 1.0)",
            bounds: SettingBounds(
                "\(RedirectURI.expectation), each given once", reason: { RedirectURI.reason(of: $0) }
            ) {
                $0.allSatisfy { RedirectURI($0) != nil } && Set($0).count == $0.count
            }
        ).ofClient,
        Setting(
            "backchannel-logout-uri", \.backchannelLogoutURI, .text,
            "the URL at which the app is told that a session of it ended (OpenID Connect Back-Channel Logout 1.0); requires "
                + "`accounts`; see [For apps](doc:ForApps)",
            default: "none: the app is not told",
            bounds: urlBounds
        ).ofClient,
        Setting(
            "providers", \.providers, .list, "the providers that the app may use", default: "all",
            bounds: SettingBounds("names from auth.providers, at least one; leave the key out for all") {
                !$0.isEmpty
            }),
        Setting(
            "require", \.require, .requiredClaims,
            "the claims that users need to sign in, for each provider: a text in the list, a list with one of its entries, or "
                + "the Boolean; if one provider is named, users of all others are refused; see [For apps](doc:ForApps)",
            default: "none"),
        Setting(
            "id-token-algorithm", \.idTokenAlgorithm,
            .named(
                "RS256 or ES256, for which auth.signing-keys has a key",
                { BrokerConfiguration.IDTokenAlgorithm(rawValue: $0) }, show: { $0.rawValue }),
            "the signature algorithm of the app's ID tokens",
            default: "RS256 if `auth.signing-keys` has an RSA key, else ES256"
        ).ofClient,
        Setting(
            "id-token-claims", \.idTokenClaims,
            .named("all or minimal", { BrokerConfiguration.IDTokenClaims(rawValue: $0) }, show: { $0.rawValue }),
            "whether ID tokens have the claims of the user (`all`), or UserInfo alone has them (`minimal`)"
        ).ofClient,
        Setting(
            "id-token-lifetime-seconds", \.idTokenLifetime, .seconds,
            "how long the app's ID tokens are valid; many clients end the user's session with the ID token",
            bounds: .range(tokenLifetimeBounds)
        ).ofClient,
        Setting(
            "access-token-lifetime-seconds", \.accessTokenLifetime, .seconds,
            "how long the app's access tokens are valid; tokens that were issued keep their lifetime",
            bounds: .range(tokenLifetimeBounds)
        ).ofClient,
        Setting(
            "resources", \.resources, .list,
            "the APIs for which the app may get access tokens; see [For apps](doc:ForApps)",
            bounds: SettingBounds("names from auth.resources, at most 32, each given once") {
                $0.count <= 32 && Set($0).count == $0.count
            }
        ).ofClient,
        Setting(
            "default-resource", \.defaultResource, .text,
            "the API whose access tokens the app gets if its request names none",
            default: "none: the access token is for UserInfo alone"
        ).check(takes: "one of resources") { app in
            app.defaultResource.map { app.resources.contains($0) } ?? true ? nil : "one of resources"
        }.ofClient,
        Setting("upstream-tokens", \.upstreamTokens, .bool, "whether the app receives the provider's own tokens"),
        Setting(
            "accounts", \.accounts, .bool,
            "whether users of the app also sign in to an account of this server; the app receives its identifier in the "
                + "claim `account`; requires `auth.accounts.project-id`"),
        Setting(
            "refresh-tokens", \.refreshTokens, .bool,
            "whether the app may have refresh tokens, which it gets if it asks for the scope `offline_access`; requires "
                + "`accounts`"
        ).check { app in
            app.refreshTokens && !app.accounts
                ? "false for an app without accounts: a refresh token is a session of an account" : nil
        }.ofClient,
        Setting(
            "rotate-refresh-tokens", \.rotateRefreshTokens, .bool,
            "whether each refresh replaces the refresh token of a confidential app; that of a public app is always replaced"
        ).ofClient,
        Setting(
            "refresh-token-repetition-seconds", \.refreshTokenRepetition, .seconds,
            "how long a replaced refresh token still works, in case the response was lost; after that, its use ends the "
                + "session",
            bounds: .range(Duration.seconds(0)...Duration.seconds(60))
        ).ofClient,
        Setting(
            "refresh-token-idle-lifetime-seconds", \.refreshTokenIdleLifetime, .seconds,
            "how long a session of the app lives without a refresh",
            bounds: .range(refreshTokenLifetimeBounds)
        ).ofClient,
        Setting(
            "refresh-token-lifetime-seconds", \.refreshTokenLifetime, .seconds,
            "how long a session of the app lives in all",
            default: "90 days; 12 hours if the app has `require`, or a provider that it may use has `claims`",
            bounds: .range(refreshTokenLifetimeBounds)
        ).ofClient,
        Setting(
            "refresh-tokens-outlive-logout", \.refreshTokensOutliveLogout, .bool,
            "whether refresh tokens of the app remain when a logout token of the provider ends the session in which they "
                + "began, unless it has the event `revoke_offline_access`; the app gets no logout token for them"
        ).ofClient,
        Setting(
            "native-audiences", \.nativeAudiences, .nativeAudiences,
            "the app's own client IDs at providers, such as a bundle ID at Apple; each belongs to one app only and is "
                + "never a provider's `client-id`; see [Native apps and accounts](doc:NativeAppsAndAccounts)",
            default: "none"
        ).ofClient,
        Setting(
            "native-nonce", \.nativeNonce,
            .named("required or optional", { BrokerConfiguration.NativeNonce(rawValue: $0) }, show: { $0.rawValue }),
            "whether native credentials must have a nonce; with `optional` one is compared only if the app presents it"
        ).ofClient,
        Setting(
            "requests-per-second", \.requestsPerSecond, .integer,
            "the maximum number of requests per second of the app to token, credential, revoke and UserInfo, and "
                + "separately of its sign-in starts; bursts of ten times as many are allowed; set it above the app's "
                + "busiest time: anyone can start sign-ins for an app, and so use up its starts",
            default: "no limit",
            bounds: .range(requestsPerSecondBounds)),
    ]

    private static let urlBounds = SettingBounds<String>("an https URL without a fragment (http only on loopback)") {
        AbsoluteURL($0).map { $0.isHTTPS || $0.isLoopback } ?? false
    }

    /// The bounds of `requests-per-second`.
    package static let requestsPerSecondBounds = 1...1_000_000

    /// The minimum length of the secret of a confidential app, in characters. As random base64 it has 96 bits.
    private static let shortestClientSecret = 16

    private static let clientSecretsTake =
        "one or two, newest first, each of at least \(shortestClientSecret) visible ASCII characters and given once"

    private static func isClientSecret(_ secret: Secret) -> Bool {
        ConfigurationSyntax.isVisible(secret.exposed) && secret.exposed.utf8.count >= shortestClientSecret
    }

    /// Returns what is wrong with client secrets, without a part of them; `nil` if they can be used.
    private static func clientSecretsReason(_ secrets: [Secret]) -> String? {
        if let index = secrets.firstIndex(where: { !isClientSecret($0) }) {
            let reason = ConfigurationSyntax.invisibleReason(secrets[index].exposed) ?? "it is too short"
            return "secret \(index + 1): \(reason)"
        }
        guard (1...2).contains(secrets.count) else { return "there are \(secrets.count)" }
        return Set(secrets).count == secrets.count ? nil : "one is there twice"
    }

    /// The prefix of the keys.
    package var prefix: String { "auth.app.\(name)." }

    /// Creates an app whose configuration has not been read yet.
    package init(unknown name: String) { self.init(name: name, redirectURIs: []) }
}

extension Setting where Section == BrokerConfiguration.App {
    /// The same key, which an app of kind `in-process` does not have.
    fileprivate var ofClient: Self {
        only(where: { $0.kind == .oidc }, otherwise: "no value: an app of kind in-process is not a client")
    }
}
