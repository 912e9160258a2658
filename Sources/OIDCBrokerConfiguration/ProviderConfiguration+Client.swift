// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

extension ProviderConfiguration {
    /// Returns the errors in the configuration of any OpenID Provider, in addition to those that the relying party
    /// finds itself.
    package func errors(prefix: String) -> [ConfigurationError] {
        var rules = Rules(self, prefix: prefix)
        rules.require(
            clientSecret != nil || !needsSecret, \.clientSecret,
            "\(takes(\.clientSecret)), required unless the client authenticates otherwise or client-authentication is "
                + "none")
        rules.require(
            clientCertificateChain != nil || clientCertificateKey == nil, \.clientCertificateChain,
            "\(takes(\.clientCertificateChain)), required with client-certificate-key")
        rules.require(
            clientCertificateKey != nil || clientCertificateChain == nil, \.clientCertificateKey,
            "\(takes(\.clientCertificateKey)), required with client-certificate")
        return rules.errors
    }

    /// Returns an error for each of the given keys that is `false` where the profile requires the opposite. Only a
    /// configuration that is read can tell such a key from one that is left out.
    func contradictions(among given: Set<PartialKeyPath<Self>>, prefix: String) -> [ConfigurationError] {
        guard securityProfile == .fapi2 else { return [] }
        let bindsToCertificate = clientCertificate != nil && !usesDPoP
        let requirements: [(member: PartialKeyPath<Self>, isMet: Bool)] = [
            (\.sendsIssuer, sendsIssuer), (\.pushedAuthorization, pushedAuthorization),
            (\.certificateBoundAccessTokens, certificateBoundAccessTokens || !bindsToCertificate),
        ]
        return requirements.filter { !$0.isMet && given.contains($0.member) }.map {
            Self.error($0.member, prefix: prefix, expected: "true, or nothing, with profile fapi-2")
        }
    }

    /// Whether the client can authenticate by its secret only. A client without any authentication must be configured
    /// as a public one.
    private var needsSecret: Bool {
        guard let clientAuthentication else {
            // The profile has no secrets, and says itself what is missing.
            return securityProfile == nil && (responseType.hasCode || pushedAuthorization) && clientSigningKey == nil
                && clientCertificate == nil
        }
        return [.clientSecretBasic, .clientSecretPost, .clientSecretJWT].contains(clientAuthentication)
    }
}
