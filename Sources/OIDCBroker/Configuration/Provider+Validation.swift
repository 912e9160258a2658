// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

extension BrokerConfiguration.Provider {
    /// What is wrong with this provider as a part of that configuration.
    func errors(in configuration: BrokerConfiguration) -> [ConfigurationError] {
        var rules = Rules(prefix: "auth.provider.\(name).")
        guard kind != .apple else {
            validateApple(&rules, in: configuration)
            return rules.errors
        }
        validateID(&rules, in: configuration)
        validateIssuer(&rules)
        validateClient(&rules)
        validateIDToken(&rules)
        validateCallback(&rules, in: configuration)
        validateScopes(&rules)
        validateParameters(&rules)
        rules.require((0..<300).contains(clockSkewSeconds), "clock-skew-seconds", Self.clockSkew)
        validateUse(&rules, in: configuration)
        return rules.errors
    }

    /// What a clock skew is; completes the sentence "expected …".
    static let clockSkew = "whole seconds, 0 to 299"

    /// Validates what apps and tokens call the provider.
    func validateID(_ rules: inout Rules, in configuration: BrokerConfiguration) {
        let others = configuration.providers.filter { $0.name != name }
        // An app names a provider by name or by id: neither may stand for two.
        let isTaken = others.contains { $0.id == id || $0.name == id }
        rules.require(
            ConfigurationSyntax.isProviderID(id) && !isTaken, "id",
            "1 to 128 letters, digits, '-', '.', '_' or '~', no other provider's id or name")
    }

    private func validateIssuer(_ rules: inout Rules) {
        guard let url = AbsoluteURL(issuer), url.query == nil, url.isHTTPS || url.isLoopback else {
            return rules.require(
                false, "issuer",
                "an https URL without query or fragment, required (http only on loopback, with \(rules.prefix)"
                    + "insecure-loopback-issuer true)")
        }
        rules.require(
            url.isHTTPS || allowsInsecureLoopbackIssuer, "issuer",
            "an https URL; http on loopback needs \(rules.prefix)insecure-loopback-issuer true")
    }

    /// Validates where the browser comes back to.
    func validateCallback(_ rules: inout Rules, in configuration: BrokerConfiguration) {
        guard let callbackPath else { return }
        rules.require(
            ConfigurationSyntax.isPlainPath(callbackPath) && !configuration.endpointPaths.contains(callbackPath),
            "callback-path", "\(BrokerConfiguration.plainPath), none of the broker's own endpoints")
    }

    private func validateScopes(_ rules: inout Rules) {
        rules.require(
            scopes.contains("openid") && scopes.allSatisfy(ConfigurationSyntax.isScopeToken)
                && Set(scopes).count == scopes.count,
            "scopes", "scopes without spaces, openid among them, each given once")
        rules.require(
            appScopes.allSatisfy(ConfigurationSyntax.isScopeToken) && Set(appScopes).count == appScopes.count,
            "app-scopes", "scopes without spaces, each given once")
    }

    /// Validates what an authorization request carries besides.
    func validateParameters(_ rules: inout Rules) {
        rules.require(
            Self.areAllowed(appParameters), "app-parameters",
            "names of parameters that do not carry the protocol, each given once")
        rules.require(
            Self.areAllowed(authorizationParameters.map(\.name))
                && authorizationParameters.allSatisfy { $0.value.utf8.count <= 2048 },
            "authorization-parameters",
            "name=value, with names that do not carry the protocol, each given once")
    }

    private static func areAllowed(_ names: [String]) -> Bool {
        Set(names).count == names.count
            && names.allSatisfy { ConfigurationSyntax.isParameterName($0) && !AuthorizationRequest.isReserved($0) }
    }
}
