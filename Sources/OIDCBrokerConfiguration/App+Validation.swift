// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDRelyingParty
package import Signing

extension BrokerConfiguration.App {
    /// Reads public keys as ``clientKeys`` has them; `nil` if none of them can be used, or one is not public. As in every
    /// key set, a key of an unknown kind does not stand in the way of the others.
    package static func keySet(_ text: String) -> KeySet? {
        guard let keys = try? KeySet(json: Array(text.utf8)), !keys.keys.isEmpty, !keys.containsSecrets else {
            return nil
        }
        return keys
    }

    /// The client secrets of either key; empty if there is none.
    package var secrets: [Secret] { clientSecret.map { [$0] } ?? clientSecrets ?? [] }

    /// Returns the errors of this app as a part of that configuration.
    /// - Parameter keys: The signing keys; `nil` if there are none or they cannot be used.
    package func errors(in configuration: BrokerConfiguration, signedBy keys: SigningKeys?) -> [ConfigurationError] {
        var rules = Rules(self, prefix: prefix)
        var unchanged = Self(unknown: name)
        unchanged.kind = kind
        rules.add(refusedErrors(prefix: prefix, comparedWith: unchanged))
        let isTaken = configuration.apps.contains { $0.name != name && $0.clientID == clientID }
        rules.require(!isTaken, \.clientID, takes(\.clientID))
        rules.require(
            isConfidential || codeBinding == .pkce, \.codeBinding,
            "pkce for a public app, which has no client-secret (RFC 9700 section 2.1.1)")
        rules.require(
            codeBinding != .none || redirectURIs.allSatisfy { RedirectURI($0)?.isOfOneSite == true }, \.codeBinding,
            "pkce or nonce for an app with a redirect URI that is not https, or on the origin of hybrid apps")
        rules.require(
            clientSecrets == nil || clientSecret == nil, \.clientSecrets,
            "no value beside client-secret: put both secrets here")
        rules.require(
            clientKeys == nil || secrets.isEmpty, \.clientKeys,
            "no value beside client-secret: an app has one method")
        rules.require(
            jwksURI == nil || (secrets.isEmpty && clientKeys == nil), \.jwksURI,
            "no value beside client-secret or client-keys: an app has one method")
        rules.require(
            backchannelLogoutURI == nil || accounts, \.backchannelLogoutURI,
            "no value for an app without accounts: a session is one of an account")
        rules.require(
            kind == .inProcess || !redirectURIs.isEmpty || !nativeAudiences.isEmpty, \.redirectURIs,
            takes(\.redirectURIs))
        rules.require(
            redirectURIs.allSatisfy { RedirectURI($0)?.hasReservedParameter != true }, \.redirectURIs,
            "no code, state, iss, error or error_description in a query: they are reserved for the response")
        let own = Set(configuration.providers.map(configuration.redirectURI))
        rules.require(
            own.isDisjoint(with: redirectURIs), \.redirectURIs,
            "URIs of the app, not the broker's own callback: register that at the provider")
        rules.require(canSign(with: keys, in: configuration), \.idTokenAlgorithm, takes(\.idTokenAlgorithm))
        validateNativeAudiences(&rules, in: configuration)
        let known = Set(configuration.resources.map(\.name))
        rules.require(known.isSuperset(of: resources), \.resources, takes(\.resources))
        let configured = Set(configuration.providers.map(\.name))
        rules.require(configured.isSuperset(of: providers ?? []), \.providers, takes(\.providers))
        let reason = require.reason(among: configuration.providers, usable: providers)
        rules.require(reason == nil, \.require, "\(takes(\.require)); \(reason ?? "")")
        return rules.errors
    }

    /// Whether the app authenticates at the endpoints.
    var isConfidential: Bool { !secrets.isEmpty || clientKeys != nil || jwksURI != nil }

    /// Returns whether there is a key for the app's algorithm. Keys that are made at the start are for both.
    private func canSign(with keys: SigningKeys?, in configuration: BrokerConfiguration) -> Bool {
        guard let idTokenAlgorithm else { return true }
        guard !configuration.signingKeys.isEmpty else { return true }
        // Keys that cannot be used are an error of their own.
        return keys.map { $0.key(for: idTokenAlgorithm) != nil } ?? true
    }

    /// Validates the native audiences. An audience identifies the app that a token was issued for, so no two apps may
    /// share one, not even at different providers: two providers of a configuration can have the same issuer. An app of
    /// an SDK counts too.
    private func validateNativeAudiences(_ rules: inout Rules<Self>, in configuration: BrokerConfiguration) {
        let key = \Self.nativeAudiences
        guard nativeAudiences.allSatisfy({ !$0.provider.isEmpty && !$0.audience.isEmpty }) else {
            return rules.require(
                false, key, "provider:audience each, neither part empty, such as apple.com:com.example.app")
        }
        // A provider is identified by its id or its name, which are unambiguous among all providers.
        let found = nativeAudiences.compactMap { native in
            configuration.providers.first { native.isAt($0) }.map { (provider: $0.name, audience: native.audience) }
        }
        guard found.count == nativeAudiences.count else {
            return rules.require(
                false, key, "provider:audience each, the provider one of auth.providers, by its id or name")
        }
        guard found.allSatisfy({ ConfigurationSyntax.isVisible($0.audience) && $0.audience.utf8.count <= 256 }) else {
            return rules.require(false, key, "audiences of 1 to 256 visible ASCII characters each")
        }
        var taken = Set(
            configuration.providers.map(\.configuration.clientID) + configuration.sdkAppAudiences.map(\.audience))
        for app in configuration.apps where app.name != name { taken.formUnion(app.nativeAudiences.map(\.audience)) }
        let distinct = Set(
            found.map { BrokerConfiguration.NativeAudience(provider: $0.provider, audience: $0.audience) })
        rules.require(
            distinct.count == found.count && taken.isDisjoint(with: found.map(\.audience)), key,
            "each given once, its audience in no other app of either kind, and no provider's client-id")
    }
}
