// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration.Provider {
    /// Validates a provider of kind `apple`.
    func validateApple(_ rules: inout Rules, in configuration: BrokerConfiguration) {
        validateID(&rules, in: configuration)
        rules.require(
            issuer.hasSameBytes(as: standIn?.issuer ?? AppleIssuer.issuer)
                && certificateAuthorities == standIn?.certificateAuthorities,
            "issuer", "nothing: with kind apple it is Apple's own")
        validateAppleClient(&rules, in: configuration)
        validateAppleKey(&rules)
        validateCallback(&rules, in: configuration)
        validateAppleRequest(&rules, in: configuration)
        validateParameters(&rules)
        rules.require((0..<300).contains(clockSkewSeconds), "clock-skew-seconds", Self.clockSkew)
        validateUse(&rules, in: configuration, members: ["proxy"])
    }

    /// The Services ID may be left out where native credentials are all that is taken.
    private func validateAppleClient(_ rules: inout Rules, in configuration: BrokerConfiguration) {
        guard clientID.isEmpty else {
            return rules.require(
                ConfigurationSyntax.isVisible(clientID), "client-id", "the Services ID, visible ASCII characters")
        }
        let hasNativeApp = configuration.apps.contains { app in
            !app.nativeAudiences(at: self).isEmpty && app.providers?.contains(name) != false
        }
        rules.require(
            hasNativeApp, "client-id",
            "the Services ID, required unless an app that may use the provider has native-audiences of it")
    }

    /// Team, key and private key go together; they may be left out where native credentials are only verified.
    private func validateAppleKey(_ rules: inout Rules) {
        let together = "required with client-id, team-id, key-id or private-key"
        guard !clientID.isEmpty || teamID != nil || keyID != nil || privateKey != nil else { return }
        rules.require(
            teamID.map { AppleKey.isIdentifier($0) } ?? false, "team-id",
            "10 capital letters and digits, as the membership page shows them, \(together)")
        rules.require(
            keyID.map { AppleKey.isIdentifier($0) } ?? false, "key-id",
            "10 capital letters and digits, as the keys page shows them, \(together)")
        guard let privateKey else {
            return rules.require(false, "private-key", "the text of Apple's .p8 file, \(together)")
        }
        do {
            // With ids that are right: those are validated above.
            _ = try AppleKey(teamID: Self.anyIdentifier, keyID: Self.anyIdentifier, privateKey: privateKey)
        } catch {
            rules.require(false, "private-key", "the text of Apple's .p8 file (\(error))")
        }
    }

    private static let anyIdentifier = "AAAAAAAAAA"

    private func validateAppleRequest(_ rules: inout Rules, in configuration: BrokerConfiguration) {
        for (key, scopes) in [("scopes", scopes), ("app-scopes", appScopes)] {
            rules.require(
                scopes.allSatisfy { ["openid", "name", "email"].contains($0) } && Set(scopes).count == scopes.count,
                key, "openid, name and email, each given once: Apple has no others")
        }
        let error = AppleAuthorization.error(
            scopes: scopes + appScopes, responseType: responseType, responseMode: responseMode)
        if let error { rules.require(false, error.member, error.expected) }
        // Apple does not announce `iss` (RFC 9207): without an ID token beside the code nothing tells whose code it is.
        let path = callbackPath ?? configuration.handlerPath
        let first = configuration.providers.first { ($0.callbackPath ?? configuration.handlerPath) == path }
        rules.require(
            responseType.hasIDToken || first?.name == name, "callback-path",
            "a path of its own, since Apple does not announce 'iss' and response-type is code")
    }
}
