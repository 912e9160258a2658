// SPDX-License-Identifier: Apache-2.0

package import Configuration
import Crypto
import Foundation
import JOSE
package import OIDCBrokerConfiguration

/// A valid configuration, and changes to it.
package enum ConfigurationFixture {
    /// A key that signs ID tokens.
    package static let signingKey = P256.Signing.PrivateKey().pemRepresentation
    /// A key of the client at the provider.
    package static let clientKey = lines(P256.Signing.PrivateKey().pemRepresentation)
    /// Two further keys, without a line break at the end.
    package static let decryptionKeys = (0..<2).map { _ in lines(P256.KeyAgreement.PrivateKey().pemRepresentation) }
    /// The key that seals.
    package static let sealingKey = Base64.encode([UInt8](repeating: 7, count: 32))
    /// Another one.
    package static let secondSealingKey = Base64.encode([UInt8](repeating: 8, count: 32))
    /// The source of the values in these tests, as errors name it.
    package static let source = "the test"

    /// The required values only.
    package static var values: [String: ConfigValue] {
        [
            "auth.public-url": "https://auth.example.com",
            "auth.sealing-keys": list(sealingKey),
            "auth.signing-keys": text(signingKey),
            "auth.providers": list("acme"),
            "auth.provider.acme.issuer": "https://login.acme.example",
            "auth.provider.acme.client-id": "broker-at-acme",
            "auth.provider.acme.client-secret": "s3cret-of-acme",
            "auth.apps": list("shop"),
            "auth.app.shop.redirect-uris": list("https://shop.example/callback"),
        ]
    }

    /// A private key of Apple, as its file holds it.
    package static let appleKey = P256.Signing.PrivateKey().pemRepresentation

    /// The changes that add a provider of kind apple, with its four values.
    package static var apple: [String: ConfigValue?] {
        [
            "auth.providers": list("acme", "apple"),
            "auth.provider.apple.kind": "apple",
            "auth.provider.apple.client-id": "com.example.web",
            "auth.provider.apple.team-id": "TEAM123456",
            "auth.provider.apple.key-id": "KEY1234567",
            "auth.provider.apple.private-key": text(appleKey),
        ]
    }

    private static func lines(_ pem: String) -> String {
        pem.split(whereSeparator: \.isNewline).joined(separator: "\n")
    }

    /// A text as a configuration has it.
    package static func text(_ value: String) -> ConfigValue { ConfigValue(.string(value), isSecret: false) }

    /// A list of texts as a configuration has it.
    package static func list(_ values: String...) -> ConfigValue { ConfigValue(.stringArray(values), isSecret: false) }

    /// Returns the required values with changes; `nil` removes a key.
    package static func values(_ changes: [String: ConfigValue?]) -> [String: ConfigValue] {
        var values = Self.values
        for (key, value) in changes { values[key] = value }
        return values
    }

    /// Reads the required values with changes.
    package static func read(_ changes: [String: ConfigValue?] = [:]) async throws -> BrokerConfiguration {
        let keyed = values(changes).map { key, value in
            (AbsoluteConfigKey(key.split(separator: ".").map(String.init)), value)
        }
        let accesses = ConfigurationAccessRecorder(sourceNames: ["InMemoryProvider[test]": source])
        let provider = InMemoryProvider(name: "test", values: Dictionary(uniqueKeysWithValues: keyed))
        return try await BrokerConfiguration(
            config: ConfigReader(provider: provider, accessReporter: accesses), accesses: accesses)
    }

    /// The errors of the required values with changes.
    package static func errors(_ changes: [String: ConfigValue?]) async throws -> [ConfigurationError] {
        do {
            _ = try await read(changes)
            return []
        } catch let error as BrokerConfigurationError {
            return error.errors
        }
    }

    /// Runs a body with the path of a file of these contents.
    package static func withFile<Result>(
        _ contents: String, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "oidc-broker-test-\(UUID().uuidString)")
        try contents.write(to: url, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url.path)
    }
}
