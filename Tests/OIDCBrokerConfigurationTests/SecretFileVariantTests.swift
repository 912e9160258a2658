// SPDX-License-Identifier: Apache-2.0

import Configuration
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A secret, or the file that contains it.
struct SecretFileVariantTests {
    @Test func `The file is read, without the white space at its end`() async throws {
        let keys = "\(ConfigurationFixture.sealingKey)\n\n\(ConfigurationFixture.secondSealingKey)\r\n"
        let configuration = try await ConfigurationFixture.withFile(keys) { keys in
            try await ConfigurationFixture.withFile(ConfigurationFixture.signingKey + "\n") { key in
                try await ConfigurationFixture.withFile("a secret from a file\n") { secret in
                    try await ConfigurationFixture.read([
                        "auth.sealing-keys": nil,
                        "auth.sealing-keys-file": ConfigurationFixture.text(keys),
                        "auth.signing-keys": nil,
                        "auth.signing-keys-file": ConfigurationFixture.text(key),
                        "auth.provider.acme.client-secret": nil,
                        "auth.provider.acme.client-secret-file": ConfigurationFixture.text(secret),
                        "auth.app.shop.client-secret-file": ConfigurationFixture.text(secret),
                    ])
                }
            }
        }
        #expect(
            configuration.sealingKeys == [
                Secret(ConfigurationFixture.sealingKey), Secret(ConfigurationFixture.secondSealingKey),
            ])
        #expect(configuration.signingKeys.first?.exposed.hasPrefix("-----BEGIN") == true)
        #expect(configuration.providers.first?.configuration.clientSecret == Secret("a secret from a file"))
        #expect(configuration.apps.first?.clientSecret == Secret("a secret from a file"))
    }

    @Test(
        arguments: [
            "auth.sealing-keys", "auth.signing-keys", "auth.provider.acme.client-secret", "auth.app.shop.client-secret",
            "auth.provider.acme.client-signing-key", "auth.provider.acme.decryption-keys",
            "auth.apple-domain-association",
        ])
    func `Both at once is an error`(key: String) async throws {
        let found = try await ConfigurationFixture.withFile("anything") { path in
            var changes: [String: ConfigValue?] = ["\(key)-file": ConfigurationFixture.text(path)]
            if ConfigurationFixture.values[key] == nil { changes[key] = "given" }
            return try await ConfigurationFixture.errors(changes)
        }
        #expect(
            found == [
                ConfigurationError(
                    key: "\(key)-file", source: ConfigurationFixture.source,
                    expected: "either \(key) or \(key)-file, not both")
            ])
    }

    @Test func `A wrong value in a file is an error of the file's key`() async throws {
        let found = try await ConfigurationFixture.withFile("not a key") { path in
            try await ConfigurationFixture.errors([
                "auth.signing-keys": nil, "auth.signing-keys-file": ConfigurationFixture.text(path),
            ])
        }
        #expect(found.map(\.key) == ["auth.signing-keys-file"])
        #expect(found.first?.source == ConfigurationFixture.source)
    }

    @Test func `Keys of the client are read from files, several decryption keys from one`() async throws {
        let keys = ConfigurationFixture.decryptionKeys
        // The parameters that openssl writes before an elliptic curve key, and a comment.
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let text = "newest first\r\n" + parameters + keys[0] + "\n\n" + keys[1] + "\n"
        let configuration = try await ConfigurationFixture.withFile(text) { decryption in
            try await ConfigurationFixture.withFile(ConfigurationFixture.clientKey + "\n") { signing in
                try await ConfigurationFixture.read([
                    "auth.provider.acme.client-signing-key-file": ConfigurationFixture.text(signing),
                    "auth.provider.acme.decryption-keys-file": ConfigurationFixture.text(decryption),
                ])
            }
        }
        let provider = try #require(configuration.providers.first)
        #expect(provider.configuration.clientSigningKey == Secret(ConfigurationFixture.clientKey))
        #expect(provider.configuration.decryptionKeys == keys.map { Secret($0 + "\n") })
    }

    @Test func `A truncated key is an error, also after a valid one`() async throws {
        let keys = ConfigurationFixture.decryptionKeys
        for text in [keys[0] + "\n" + String(keys[1].dropLast(40)), String(keys[0].dropLast(40)) + "\n" + keys[1]] {
            let found = try await ConfigurationFixture.withFile(text) { path in
                try await ConfigurationFixture.errors([
                    "auth.provider.acme.decryption-keys-file": ConfigurationFixture.text(path)
                ])
            }
            #expect(found.map(\.key) == ["auth.provider.acme.decryption-keys-file"])
        }
    }

    @Test func `A file beyond 1 MiB is not read`() async throws {
        let found = try await ConfigurationFixture.withFile(String(repeating: "x", count: (1 << 20) + 1)) { path in
            try await ConfigurationFixture.errors([
                "auth.provider.acme.client-secret": nil,
                "auth.provider.acme.client-secret-file": ConfigurationFixture.text(path),
            ])
        }
        #expect(found.map(\.key) == ["auth.provider.acme.client-secret-file"])
    }
}
