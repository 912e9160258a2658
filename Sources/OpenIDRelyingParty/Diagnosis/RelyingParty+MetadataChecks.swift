// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDConnect

extension RelyingParty {
    /// Checks that the metadata have the members that sign-ins in a browser need, if there are such sign-ins.
    /// - Throws: The error of the first of these members that is absent or not acceptable.
    package func checkNeededMembers(of metadata: ProviderMetadata) throws(RelyingPartyError) {
        guard !configuration.clientID.isEmpty else { return }
        _ = try usedAuthorizationEndpoint(of: metadata)
    }

    /// Compares what a provider announces with what is configured. Nothing is sent.
    /// - Parameters:
    ///   - metadata: What the provider announces.
    ///   - provider: The name of the provider in the configuration.
    ///   - requiresIssuer: Whether the provider must announce `iss` (RFC 9207), because it shares its callback path.
    package func checks(
        of metadata: ProviderMetadata, provider: String, requiresIssuer: Bool
    ) -> [LiveCheck] {
        let authentication: Result<ClientAuthenticationMethod, RelyingPartyError>
        do throws(RelyingPartyError) {
            authentication = .success(try clientAuthenticationMethod(metadata, .token))
        } catch {
            authentication = .failure(error)
        }
        return MetadataComparison(
            configuration: configuration, metadata: metadata, provider: provider, requiresIssuer: requiresIssuer,
            authentication: authentication, registeredAlgorithms: clientKeys.registeredAlgorithms,
            signingAlgorithm: clientKeys.credentials.signingKey?.algorithm
        ).checks
    }

    /// Judges the keys that a provider publishes: whether there is one for its ID tokens, and why others are not used.
    package func checks(of keys: KeySet, _ metadata: ProviderMetadata, provider: String) -> [LiveCheck] {
        LiveCheck.keys(keys, for: idTokenAlgorithms(metadata), of: provider)
    }
}
