// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import OIDCBroker
import Testing

@testable import OIDCBrokerServer

/// Spellings of keys.
struct ConfigurationSpellingTests {
    private static let keys = [
        "auth.public-url", "auth.provider.acme.client-secret-file", "auth.app.shop2.redirect-uris",
        "server.tls.certificate-chain",
    ]

    @Test(arguments: keys)
    func `are those of swift-configuration`(key: String) async throws {
        let environment = EnvironmentVariablesProvider(
            environmentVariables: [ConfigurationSpelling.environment.spelled(key): "environment"])
        #expect(ConfigReader(provider: environment).string(forKey: ConfigKey(key)) == "environment")
        let arguments = CommandLineArgumentsProvider(
            arguments: ["program", ConfigurationSpelling.commandLine.spelled(key), "line"])
        #expect(ConfigReader(provider: arguments).string(forKey: ConfigKey(key)) == "line")
        try await SourcesFixture.run { fixture in
            _ = try fixture.write(ConfigurationSpelling.secretFile.spelled(key), "file")
            let secrets = try SecretsDirectory(path: fixture.directory.path, source: nil)
            #expect(ConfigReader(provider: secrets.provider).string(forKey: ConfigKey(key)) == "file")
        }
    }

    @Test func `of secrets are known in every source`() {
        for key in [
            "auth.sealing-keys", "auth.signing-keys", "auth.provider.a.client-secret", "auth.app.a.client-secret",
            "auth.provider.a.client-signing-key", "auth.provider.a.client-certificate-key",
            "auth.provider.a.decryption-keys", "auth.provider.a.private-key", "auth.webhook.signing-key",
        ] {
            for spelling in [ConfigurationSpelling.file, .environment, .commandLine, .secretFile] {
                #expect(ConfigurationSpelling.isSecret(spelling.spelled(key)))
                #expect(!ConfigurationSpelling.isSecret(spelling.spelled(key + "-file")))
            }
        }
        #expect(!ConfigurationSpelling.isSecret("server.tls.private-key"))
        #expect(!ConfigurationSpelling.isSecret("auth.provider.a.client-certificate"))
    }

    @Test(
        arguments: [
            ("", "", 0), ("a", "", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("acme", "amce", 1),
            ("public-url", "publicurl", 1), ("abc", "abc", 0), ("ca", "abc", 3),
        ])
    func `have a distance`(first: String, second: String, distance: Int) {
        #expect(ConfigurationSpelling.distance(first, second) == distance)
        #expect(ConfigurationSpelling.distance(second, first) == distance)
    }

    @Test func `have a nearest one, if any is near`() {
        let known = ["auth.public-url", "auth.path-prefix"]
        #expect(ConfigurationSpelling.nearest(to: "auth.publc-url", among: known) == "auth.public-url")
        #expect(ConfigurationSpelling.nearest(to: "auth.zzzzzzzzzzzzz", among: known) == nil)
        #expect(ConfigurationSpelling.nearest(to: "anything", among: []) == nil)
    }
}
