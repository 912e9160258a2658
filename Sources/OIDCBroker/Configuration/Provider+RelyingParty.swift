// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration.Provider {
    /// What the relying party needs to know of the provider.
    func relyingPartyConfiguration(redirectURI: String) -> ProviderConfiguration {
        var configuration = self.configuration
        configuration.redirectURI = redirectURI
        if case .apple(let apple) = kind {
            configuration.scopes = apple.askedScopes
            // A key that cannot be used is an error that validation names; it is none here.
            configuration.clientSecretSource = AppleClientSecret(try? apple.key(), audience: configuration.issuer)
        }
        return configuration
    }
}
