// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

extension ProviderConfiguration {
    /// What is wrong with the configuration of any OpenID Provider, beyond what the relying party validates itself.
    func errors(prefix: String) -> [ConfigurationError] {
        var rules = Rules(self, prefix: prefix)
        rules.require(
            clientSecret != nil || !needsSecret, \.clientSecret,
            "\(takes(\.clientSecret)), required unless the client proves itself otherwise or client-authentication is "
                + "none")
        rules.require(
            clientCertificateChain != nil || clientCertificateKey == nil, \.clientCertificateChain,
            "\(takes(\.clientCertificateChain)), required with client-certificate-key")
        rules.require(
            clientCertificateKey != nil || clientCertificateChain == nil, \.clientCertificateKey,
            "\(takes(\.clientCertificateKey)), required with client-certificate")
        return rules.errors
    }

    /// Whether there is no way to prove itself without the secret: the configuration names it, or names nothing else.
    /// A public client has to be called one.
    private var needsSecret: Bool {
        guard let clientAuthentication else {
            return (responseType.hasCode || pushedAuthorization) && clientSigningKey == nil && clientCertificate == nil
        }
        return [.clientSecretBasic, .clientSecretPost, .clientSecretJWT].contains(clientAuthentication)
    }
}
