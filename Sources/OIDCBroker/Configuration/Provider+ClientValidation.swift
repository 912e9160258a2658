// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

extension BrokerConfiguration.Provider {
    /// What client authentication is; completes the sentence "expected …".
    static let clientAuthentication =
        "client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, tls_client_auth, "
        + "self_signed_tls_client_auth or none"

    /// Validates how the client proves itself. Whether keys and certificates can be used is validated by ``validateUse(_:in:)``.
    func validateClient(_ rules: inout Rules) {
        rules.require(
            ConfigurationSyntax.isVisible(clientID), "client-id",
            "the client id the provider gave out, visible ASCII characters, required")
        rules.require(
            clientSecret.map { ConfigurationSyntax.isVisible($0.exposed) } ?? !needsSecret, "client-secret",
            "the client secret the provider gave out, visible ASCII characters, required unless the client proves itself "
                + "otherwise or client-authentication is none")
        if let clientSigningAlgorithm {
            rules.require(
                ["ES256", "RS256", "PS256", "EdDSA", "Ed25519"].contains(clientSigningAlgorithm),
                "client-signing-algorithm",
                "ES256, RS256, PS256, EdDSA or Ed25519")
        }
        rules.require(
            clientCertificate != nil || clientCertificateKey == nil, "client-certificate",
            "the path of a PEM file, required with client-certificate-key")
        rules.require(
            clientCertificateKey != nil || clientCertificate == nil, "client-certificate-key",
            "the PEM text of the certificate's private key, required with client-certificate")
    }

    /// Whether there is no way to prove itself without the secret: the configuration names it, or names nothing else.
    /// A public client has to be called one.
    private var needsSecret: Bool {
        guard let clientAuthentication else {
            return (responseType.hasCode || pushedAuthorization) && clientSigningKey == nil && clientCertificate == nil
        }
        return [.clientSecretBasic, .clientSecretPost, .clientSecretJWT].contains(clientAuthentication)
    }

    /// Validates the lists that ID tokens are held against.
    func validateIDToken(_ rules: inout Rules) {
        let lists = [
            ("id-token-algorithms", idTokenAlgorithms ?? []), ("tenants", tenants),
            ("trusted-audiences", trustedAudiences), ("required-acr-values", requiredACRValues),
            ("resources", resources),
        ]
        for (key, list) in lists { rules.require(Set(list).count == list.count, key, "each given once") }
    }
}
