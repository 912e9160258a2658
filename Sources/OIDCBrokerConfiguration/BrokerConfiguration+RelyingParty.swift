// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
package import OpenIDRelyingParty

/// What a broker with this configuration makes of a provider, for a diagnosis without a broker.
extension BrokerConfiguration {
    /// Returns the redirect URI of the broker at a provider, which has to be registered there byte for byte.
    package func redirectURI(of provider: Provider) -> String {
        publicURL.origin + (provider.callbackPath ?? handlerPath)
    }

    /// Returns the configuration of a provider's relying party, with a source of client secrets if the provider is Apple.
    package func relyingPartyConfiguration(of provider: Provider) -> ProviderConfiguration {
        provider.relyingPartyConfiguration(
            redirectURI: redirectURI(of: provider), clientSecret: provider.makeAppleClientSecret())
    }

    /// Whether a provider must announce `iss` (RFC 9207), because it is not the first one on its callback path and its
    /// responses contain no ID token. See `ProviderEntry.mustAnnounceIssuer`.
    package func requiresIssuer(from provider: Provider) -> Bool {
        let path = redirectURI(of: provider)
        let first = providers.first { redirectURI(of: $0) == path }
        return first?.name != provider.name && !provider.configuration.responseType.hasIDToken
    }
}
