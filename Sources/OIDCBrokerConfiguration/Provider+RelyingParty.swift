// SPDX-License-Identifier: Apache-2.0

package import Metrics
package import OpenIDRelyingParty
package import SignInWithApple

extension BrokerConfiguration.Provider {
    /// Returns the configuration of the provider's relying party.
    ///
    /// - Parameters:
    ///   - redirectURI: The redirect URI of the broker at the provider.
    ///   - clientSecret: The source of client secrets that are derived from a key; `nil` if the configuration has the
    ///     secret.
    package func relyingPartyConfiguration(
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

    /// Makes the source of client secrets that are derived from a key; `nil` if the provider is not Apple.
    /// - Parameter metricsFactory: What makes the gauge of Apple's client secrets; `nil` for the one that is
    ///   bootstrapped.
    package func makeAppleClientSecret(metricsFactory: (any MetricsFactory)? = nil) -> AppleClientSecret? {
        guard case .apple(let apple) = kind else { return nil }
        // A key that cannot be used is an error that validation names; it is none here.
        return AppleClientSecret(
            try? apple.key(), audience: apple.configuration.issuer, metricsFactory: metricsFactory)
    }
}
