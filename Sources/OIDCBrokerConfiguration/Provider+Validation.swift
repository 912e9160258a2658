// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration.Provider {
    /// Returns the errors of this provider as a part of that configuration.
    package func errors(in configuration: BrokerConfiguration) -> [ConfigurationError] {
        var rules = Rules(self, prefix: prefix)
        validateNames(&rules, in: configuration)
        switch kind {
        case .oidc(let client):
            rules.require(client.profile == .openIDConnect, \.kindName, "apple for the profile of Apple")
            rules.add(client.errors(prefix: prefix))
        case .apple(let apple):
            rules.add(apple.configuration.refusedErrors(prefix: prefix, comparedWith: apple.unchanged))
            rules.require(apple.configuration.profile == .apple, \.kindName, "oidc for another profile than Apple's")
            rules.add(apple.errors(prefix: prefix))
            rules.add(appleErrors(apple.configuration, in: configuration))
            validateAppleCallback(&rules, apple.configuration, in: configuration)
        }
        validateUse(&rules, in: configuration)
        rules.add(clientIDErrors(in: configuration))
        return rules.errors
    }

    /// Returns an error if an app of an SDK has the client ID: an audience identifies the app that a token was issued for.
    /// The apps of the broker report it themselves.
    private func clientIDErrors(in configuration: BrokerConfiguration) -> [ConfigurationError] {
        let clientID = self.configuration.clientID
        guard !clientID.isEmpty, configuration.sdkAppAudiences.contains(where: { $0.audience == clientID }) else {
            return []
        }
        return [
            ProviderConfiguration.error(
                \.clientID, prefix: prefix, expected: "no client id in the native-audiences of an app of auth.sdk-apps")
        ]
    }

    /// Validates the identifier of the provider and its callback path.
    private func validateNames(_ rules: inout Rules<Self>, in configuration: BrokerConfiguration) {
        let others = configuration.providers.filter { $0.name != name }
        // An app identifies a provider by its name or its id, so each must be unambiguous.
        let isTaken = others.contains { $0.id == id || $0.name == id }
        rules.require(!isTaken, \.id, takes(\.id))
        rules.require(
            callbackPath.map(configuration.endpointPaths.contains) != true, \.callbackPath, takes(\.callbackPath))
    }

    /// Returns the errors in the request to Apple.
    private func appleErrors(
        _ client: ProviderConfiguration, in configuration: BrokerConfiguration
    ) -> [ConfigurationError] {
        var rules = Rules(client, prefix: prefix)
        // The Services ID may be omitted if only native credentials are accepted.
        let hasNativeApp =
            configuration.apps.contains { app in
                !app.nativeAudiences(at: self).isEmpty && app.providers?.contains(name) != false
            } || configuration.sdkAppAudiences.contains { $0.isAt(self) }
        rules.require(
            !client.clientID.isEmpty || hasNativeApp, \.clientID,
            "the Services ID, required unless an app that may use the provider has native-audiences of it")
        let error = AppleAuthorization.error(
            scopes: client.scopes + appScopes, responseType: client.responseType, responseMode: client.responseMode)
        if let error { rules.require(false, error.member, error.expected) }
        return rules.errors
    }

    /// Validates the callback path of Apple, which does not announce `iss` (RFC 9207): without an ID token in the
    /// authorization response, the issuer of a code cannot be determined on a shared path.
    private func validateAppleCallback(
        _ rules: inout Rules<Self>, _ client: ProviderConfiguration, in configuration: BrokerConfiguration
    ) {
        let path = callbackPath ?? configuration.handlerPath
        let first = configuration.providers.first { ($0.callbackPath ?? configuration.handlerPath) == path }
        rules.require(
            client.responseType.hasIDToken || first?.name == name, \.callbackPath,
            "a path of its own, since Apple does not announce 'iss' and response-type is code")
    }

    /// Validates the configuration of the relying party, including its keys and certificates. A key that is an error
    /// already is not reported again, nor is a member that contains it.
    private func validateUse(_ rules: inout Rules<Self>, in configuration: BrokerConfiguration) {
        let redirectURI = configuration.publicURL.origin + (callbackPath ?? configuration.handlerPath)
        for error in relyingPartyConfiguration(
            redirectURI: redirectURI, clientSecret: makeAppleClientSecret()
        ).validate() {
            let keys = ProviderConfiguration.keys(of: error.member).map { prefix + $0 }
            guard !keys.contains(where: rules.isError) else { continue }
            rules.add([ConfigurationError(key: keys[0], expected: error.expected)])
        }
    }
}
