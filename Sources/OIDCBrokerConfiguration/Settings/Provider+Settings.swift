// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

/// The keys under `auth.provider.<name>.` that concern the broker and its apps.
extension BrokerConfiguration.Provider: SettingSection {
    private typealias ProviderClaim = BrokerConfiguration.ProviderClaim

    package static let settings: [Setting<BrokerConfiguration.Provider>] = [
        Setting(
            "kind", \.kindName, .named("oidc or apple", { Kind.Name(rawValue: $0) }, show: { $0.rawValue }),
            "the kind of the provider; keys of the other kind are refused"),
        Setting(
            "id", \.id, .text, "the provider's identifier in requests of apps and in tokens",
            bounds: SettingBounds(
                "1 to 128 letters, digits, '-', '.', '_' or '~', no other provider's id or name"
            ) { ConfigurationSyntax.isProviderID($0) }),
        Setting(
            "title", \.title, .text, "the name of the provider on pages",
            default: "the name in the configuration, capitalized", bounds: .title),
        Setting(
            "callback-path", \.callbackPath, .text, "the path of a callback URL for this provider alone",
            default: "the shared `<path-prefix>/handler`",
            bounds: SettingBounds("\(BrokerConfiguration.plainPath), not one of the broker's own endpoints") {
                ConfigurationSyntax.isPlainPath($0)
            }),
        Setting(
            "app-parameters", \.appParameters, .list,
            "the parameters that apps may pass to the provider; `max_age` of an OpenID app is passed on even if it is not "
                + "named here",
            bounds: SettingBounds("names of parameters that do not carry the protocol, each given once") {
                ConfigurationSyntax.areFreeParameters($0)
            }),
        Setting(
            "app-scopes", \.appScopes, .list, "the scopes that apps may request in addition to `scopes`",
            bounds: SettingBounds("scopes without spaces, each given once") { ConfigurationSyntax.areScopes($0) }
        ).when(
            { $0.kindName == .apple }, takes: ProviderConfiguration.appleScopes,
            error: { $0.appScopes.areOfApple ? nil : ProviderConfiguration.appleScopes }),
        Setting(
            "claims", \.claims, .listed(ProviderClaim.expectation) { ProviderClaim(entry: $0) },
            "the further claims of ID token and UserInfo that apps get, each as `name` or `name=path`; those of the scopes "
                + "`profile`, `address` and `phone` go with their scope; see [For apps](doc:ForApps)",
            bounds: SettingBounds(ProviderClaim.expectation, reason: { ProviderClaim.reason(of: $0) }) {
                ProviderClaim.reason(of: $0) == nil
            }
        ).only(where: { $0.kindName != .apple }, otherwise: "no value: Apple has no further claims"),
        Setting(
            "logout", \.logout, .bool,
            "whether a logout continues at the provider, if it has an end session endpoint; register "
                + "`<public-url><path-prefix>/logout/done` there as a post-logout redirect URI"
        ).only(where: { $0.kindName != .apple }, otherwise: "no value: Apple has no end session endpoint"),
        Setting(
            "back-channel-logout", \.backChannelLogout, .bool,
            "whether the provider's logout tokens are accepted at `<path-prefix>/notifications/<name>` (OpenID Connect "
                + "Back-Channel Logout 1.0), which needs accounts, a handler or a webhook"
        ).only(where: { $0.kindName != .apple }, otherwise: "no value: Apple sends notifications of its own"),
        Setting(
            "links-by-email", \.linksByEmail, .bool,
            "whether a verified email of this provider links accounts: a new identity joins the account that has the "
                + "same verified email from another provider with this setting"),
        Setting(
            "login-lifetime-seconds", \.loginLifetime, .seconds,
            "how long a login may take, from its start to its callback; the store has room for fewer sign-ins a second "
                + "if logins live longer", bounds: .range(BrokerConfiguration.Provider.loginLifetimeBounds)),
        Setting(
            "client-secret-expires", \.clientSecretExpires, .day,
            "the day (UTC) on which the client secret expires at the provider; metrics, `/healthz`, "
                + "`check-config` and the log warn of it", default: "unknown"
        ).check { provider in
            provider.clientSecretExpires == nil || provider.configuration.clientSecret != nil
                ? nil : "no value without client-secret"
        }.only(
            where: { $0.kindName != .apple },
            otherwise: "no value: secrets for Apple are made and renewed by the broker"),
    ]

    /// Returns the prefix of the keys of a provider with that name.
    package static func prefix(of name: String) -> String { "auth.provider.\(name)." }

    /// The prefix of the keys.
    package var prefix: String { Self.prefix(of: name) }

    /// Reads the keys of a provider that has only a name yet. A missing value is empty and is found by the validation.
    package mutating func read(from values: inout ConfigurationValues) async {
        let prefix = prefix
        await values.read(&self, prefix: prefix)
        var configuration = self.configuration
        let given = await values.read(&configuration, prefix: prefix)
        values.add(configuration.contradictions(among: given, prefix: prefix))
        self.configuration = configuration
        switch kind {
        case .oidc:
            for setting in BrokerConfiguration.AppleProvider.settings {
                await values.refuse(setting, prefix: prefix, expected: "no value: it goes with kind apple")
            }
        case .apple(var apple):
            await apple.read(prefix: prefix, from: &values)
            kind = .apple(apple)
        }
        // An operator who configures a response mode expects to see it in the request.
        self.configuration.sendsDefaultResponseMode = given.contains(\.responseMode)
        if !given.contains(\.responseMode) { self.configuration.responseMode = defaultResponseMode }
    }

    /// The default of the response mode: `query` for a code; `form_post`, which needs no script, for an ID token and
    /// wherever Apple accepts no other.
    private var defaultResponseMode: ResponseMode {
        let asked = configuration.scopes + appScopes
        switch kind {
        case .oidc: return configuration.responseType.hasIDToken ? .formPost : .query
        case .apple: return AppleAuthorization.responseMode(scopes: asked, responseType: configuration.responseType)
        }
    }
}
