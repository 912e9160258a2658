// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty

extension BrokerConfiguration.Provider {
    /// The keys that only ``BrokerConfiguration/ProviderKind/apple`` has.
    static let keysOfApple = ["team-id", "key-id", "key-id-file", "private-key", "private-key-file"]

    /// The keys that Apple's own habits leave no room for.
    private static let keysOfOthers = [
        "issuer", "insecure-loopback-issuer", "tenants", "client-secret", "client-secret-file", "client-authentication",
        "client-signing-key", "client-signing-key-file", "client-signing-algorithm", "client-certificate",
        "client-certificate-key", "client-certificate-key-file", "certificate-authorities", "id-token-algorithms",
        "decryption-keys", "decryption-keys-file", "pushed-authorization", "trusted-audiences", "required-acr-values",
        "user-info", "claims", "resources",
    ]

    /// Reads the keys of a provider of kind `apple`; what is missing stays empty for the rules to find.
    static func apple(name: String, _ prefix: String, from values: inout ConfigurationValues) async -> Self {
        let privateKey = await values.secret(prefix + "private-key").map { Secret($0) }
        var provider = Self.apple(
            name: name,
            id: await values.string(prefix + "id"),
            clientID: await values.string(prefix + "client-id") ?? "",
            teamID: given(await values.string(prefix + "team-id")),
            keyID: given(await values.text(prefix + "key-id")),
            privateKey: privateKey?.exposed.isEmpty == true ? nil : privateKey)
        provider.keyIDFile = values.file(of: prefix + "key-id")
        provider.privateKeyFile = values.file(of: prefix + "private-key")
        await provider.readParameters(prefix, from: &values)
        await provider.readCallback(prefix, from: &values)
        await provider.readProxy(prefix, from: &values)
        await values.refuse(keysOfOthers.map { prefix + $0 }, expected: "nothing: with kind apple it is Apple's own")
        return provider
    }

    /// A value that is left empty is as good as absent.
    private static func given(_ text: String?) -> String? {
        text?.isEmpty == true ? nil : text
    }
}
