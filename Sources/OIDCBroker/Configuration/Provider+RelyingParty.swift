// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import SignInWithApple

extension BrokerConfiguration.Provider {
    /// Returns the configuration of the provider's relying party.
    ///
    /// - Parameters:
    ///   - redirectURI: The redirect URI of the broker at the provider.
    ///   - clientSecret: The source of client secrets that are derived from a key; `nil` if the configuration has the
    ///     secret.
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
