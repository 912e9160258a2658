// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import SignInWithApple

extension ProviderEntry {
    /// What the relying party needs to know of Apple.
    static func appleConfiguration(
        _ provider: BrokerConfiguration.Provider, redirectURI: String
    ) -> ProviderConfiguration {
        var configuration = ProviderConfiguration.apple(
            issuer: provider.issuer,
            clientID: provider.clientID,
            redirectURI: redirectURI,
            // A key that cannot be used is an error that validation names; it is none here.
            clientSecret: AppleClientSecret(try? provider.appleKey(), audience: provider.issuer),
            scopes: provider.askedScopes,
            responseType: provider.responseType,
            certificateAuthorities: provider.certificateAuthorities,
            allowsInsecureLoopbackIssuer: provider.allowsInsecureLoopbackIssuer)
        configuration.responseMode = provider.responseMode
        configuration.authorizationParameters = provider.authorizationParameters.map {
            (name: $0.name, value: $0.value)
        }
        configuration.clockSkew = Int64(provider.clockSkewSeconds)
        configuration.proxy = provider.proxy
        return configuration
    }

    /// Takes over the key of a configuration that is otherwise the same: from now on, for requests in flight too.
    func replaceKey(by provider: BrokerConfiguration.Provider) {
        let isSameKey =
            configuration.teamID == provider.teamID && configuration.keyID == provider.keyID
            && configuration.privateKey == provider.privateKey
        guard !isSameKey, let key = try? provider.appleKey(),
            let clientSecret = relyingParty.configuration.clientSecretSource as? AppleClientSecret
        else { return }
        clientSecret.replaceKey(key)
    }
}
