// SPDX-License-Identifier: Apache-2.0

import Configuration
import OIDCBrokerConfiguration
import Testing
import TestingSupport

/// Every error in a configuration.
struct ConfigurationErrorTests {
    @Test(
        arguments: ConfigurationErrorCase.general + ConfigurationErrorCase.provider
            + ConfigurationErrorCase.client + ConfigurationErrorCase.token + ConfigurationErrorCase.reserved
            + ConfigurationErrorCase.app + ConfigurationErrorCase.apple + ConfigurationErrorCase.webhook
            + ConfigurationErrorCase.resource)
    func `names the key, the source and what was expected`(_ error: ConfigurationErrorCase) async throws {
        let found = try await ConfigurationFixture.errors(error.changes).filter { $0.key == error.key }
        let first = try #require(found.first)
        #expect(found.count == 1)
        #expect(first.expected.contains(error.expected))
        #expect(first.source == (error.isGiven ? ConfigurationFixture.source : nil))
    }

    @Test(
        arguments: ConfigurationErrorCase.provider + ConfigurationErrorCase.client + ConfigurationErrorCase.token
            + ConfigurationErrorCase.reserved + ConfigurationErrorCase.app + ConfigurationErrorCase.apple
            + ConfigurationErrorCase.webhook + ConfigurationErrorCase.resource)
    func `is the only one reported if it is the only one`(_ error: ConfigurationErrorCase) async throws {
        #expect(try await ConfigurationFixture.errors(error.changes).map(\.key) == [error.key])
    }

    @Test func `comes with all the others at once`() async throws {
        let found = try await ConfigurationFixture.errors([
            "auth.public-url": "ftp://auth.example.com",
            "auth.sealing-keys": nil,
            "auth.signing-keys": "no key",
            "auth.provider.acme.client-id": nil,
            "auth.provider.acme.clock-skew-seconds": "soon",
            "auth.provider.acme.user-info": "who knows",
            "auth.app.shop.redirect-uris": nil,
        ])
        #expect(
            Set(found.map(\.key)) == [
                "auth.public-url", "auth.sealing-keys", "auth.signing-keys", "auth.provider.acme.client-id",
                "auth.provider.acme.clock-skew-seconds", "auth.provider.acme.user-info",
                "auth.app.shop.redirect-uris",
            ])
        #expect(found.count == 7)
    }

    @Test func `reads as one line`() {
        let given = ConfigurationError(key: "auth.public-url", source: "environment", expected: "an https URL")
        #expect(given.description == "auth.public-url (from environment): expected an https URL")
        let missing = ConfigurationError(key: "auth.public-url", expected: "an https URL")
        #expect(missing.description == "auth.public-url: expected an https URL")
        let both = BrokerConfigurationError(errors: [given, missing])
        #expect(both.description == "\(given)\n\(missing)")
    }

    @Test func `never contains a secret`() async throws {
        let found = try await ConfigurationFixture.errors([
            "auth.sealing-keys": ConfigurationFixture.list("c2VhbGluZy1zZWNyZXQ="),
            "auth.signing-keys": "signing-secret",
            "auth.provider.acme.client-secret": " provider-secret",
            "auth.app.shop.client-secret": " app-secret",
            "auth.provider.acme.client-signing-key": "client-key-secret",
            "auth.provider.acme.decryption-keys": "decryption-secret",
            "auth.webhook.url": "https://app.example/hook",
            "auth.webhook.signing-key": "webhook-secret",
        ])
        #expect(found.count == 7)
        let printed = "\(found) \(BrokerConfigurationError(errors: found))"
        for secret in [
            "c2VhbGluZy1zZWNyZXQ", "signing-secret", "provider-secret", "app-secret", "client-key-secret",
            "decryption-secret", "webhook-secret",
        ] {
            #expect(!printed.contains(secret))
        }
        let configuration = try await ConfigurationFixture.read([
            "auth.provider.acme.client-signing-key": ConfigurationFixture.text(ConfigurationFixture.clientKey),
            "auth.provider.acme.decryption-keys": ConfigurationFixture.text(
                ConfigurationFixture.decryptionKeys.joined(separator: "\n")),
        ])
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("s3cret-of-acme"))
            #expect(!text.contains(ConfigurationFixture.sealingKey))
            #expect(!text.contains("PRIVATE KEY"))
        }
    }

    @Test func `has no source without a recorder`() async throws {
        let config = ConfigReader(provider: InMemoryProvider(values: ["auth.public-url": "nothing"]))
        let error = try await #require(throws: BrokerConfigurationError.self) {
            try await BrokerConfiguration(config: config)
        }
        #expect(error.errors.contains { $0.key == "auth.public-url" && $0.source == nil })
    }
}
