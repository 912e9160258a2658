// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

extension BrokerConfiguration.Provider {
    /// Reads how the client proves itself, beyond its id and its secret.
    mutating func readClient(_ prefix: String, from values: inout ConfigurationValues) async {
        let authenticationKey = prefix + "client-authentication"
        if let text = await values.string(authenticationKey) {
            clientAuthentication = ClientAuthenticationMethod(name: text)
            if clientAuthentication == nil { values.add(authenticationKey, expected: Self.clientAuthentication) }
        }
        clientSigningKey = await values.secret(prefix + "client-signing-key").map { Secret($0) }
        clientSigningAlgorithm = await values.string(prefix + "client-signing-algorithm")
        clientCertificate = await values.fileContents(
            prefix + "client-certificate", expected: "the path of a PEM file that can be read")
        clientCertificateKey = await values.secret(prefix + "client-certificate-key").map { Secret($0) }
    }

    /// Reads what the provider's ID tokens are held against.
    mutating func readIDToken(_ prefix: String, from values: inout ConfigurationValues) async {
        idTokenAlgorithms = await values.list(prefix + "id-token-algorithms")
        if let text = await values.secret(prefix + "decryption-keys") {
            decryptionKeys = PEMBlocks.split(text).map { Secret($0) }
        }
        tenants = await values.list(prefix + "tenants") ?? []
        trustedAudiences = await values.list(prefix + "trusted-audiences") ?? []
        requiredACRValues = await values.list(prefix + "required-acr-values") ?? []
    }
}
