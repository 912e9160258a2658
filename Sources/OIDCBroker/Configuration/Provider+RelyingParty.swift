// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration.Provider {
    /// The configuration of the provider's relying party.
    ///
    /// - Parameter clientSecret: A client secret that is made of a key; `nil` if the configuration has it.
    func relyingPartyConfiguration(
        redirectURI: String, clientSecret: AppleClientSecret? = nil
    ) -> ProviderConfiguration {
        var configuration = self.configuration
        configuration.redirectURI = redirectURI
        if case .apple(let apple) = kind {
            configuration.scopes = apple.askedScopes
            configuration.clientSecretSource = clientSecret
        }
        return configuration
    }
}
