// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// Sources of the configuration.
struct ConfigurationSourcesTests {
    @Test func `A secret is read from the environment`() async throws {
        let loaded = try await SourcesFixture.load(environment: SourcesFixture.environment)
        #expect(loaded.broker.providers.first?.configuration.clientSecret == Secret("from-environment"))
        #expect(loaded.broker.apps.first?.redirectURIs == ["https://shop.example/cb", "com.example.shop:/cb"])
        #expect(loaded.server == ServerConfiguration())
    }

    @Test func `The metadata are also at the well-known paths, unless that is switched off`() async throws {
        #expect(try await SourcesFixture.load(environment: SourcesFixture.environment).broker.wellKnownPaths)
        let without = SourcesFixture.environment(with: ["AUTH_WELL_KNOWN_PATHS": "false"])
        #expect(try await !SourcesFixture.load(environment: without).broker.wellKnownPaths)
    }

    @Test func `A secret is read from a YAML file`() async throws {
        try await SourcesFixture.run { fixture in
            let file = try fixture.write("broker.yaml", SourcesFixture.yaml)
            let loaded = try await SourcesFixture.load(file: file)
            #expect(loaded.broker.providers.first?.configuration.clientSecret == Secret("from-yaml"))
            #expect(loaded.broker.providers.first?.configuration.clockSkew == .seconds(30))
            #expect(loaded.broker.providers.first?.configuration.userInfo == true)
            #expect(loaded.server.port == 0)
        }
    }

    @Test(
        arguments: [
            (["--server-provider-transport", "nio"], [:], nil), ([], ["SERVER_PROVIDER_TRANSPORT": "nio"], nil),
            ([], [:], "server: {provider-transport: nio}"),
        ] as [([String], [String: String], String?)])
    func `The provider transport is read from every source except secret files`(
        arguments: [String], variables: [String: String], yaml: String?
    ) async throws {
        try await SourcesFixture.run { fixture in
            let loaded = try await SourcesFixture.load(
                arguments: arguments, environment: SourcesFixture.environment(with: variables),
                file: try yaml.map { try fixture.write("broker.yaml", $0) })
            #expect(loaded.server.providerTransport == .nio)
        }
    }

    @Test func `A secret is read from a JSON file`() async throws {
        try await SourcesFixture.run { fixture in
            let file = try fixture.write(
                "broker.json",
                #"{"auth": {"provider": {"acme": {"client-secret": "from-json", "clock-skew-seconds": 31}}}}"#)
            let loaded = try await SourcesFixture.load(
                environment: SourcesFixture.environment(without: ["AUTH_PROVIDER_ACME_CLIENT_SECRET"]), file: file)
            #expect(loaded.broker.providers.first?.configuration.clientSecret == Secret("from-json"))
            #expect(loaded.broker.providers.first?.configuration.clockSkew == .seconds(31))
        }
    }

    @Test func `A secret is read from a secret file; the directory may be named by every other source`() async throws {
        try await SourcesFixture.run { fixture in
            _ = try fixture.write("secrets/auth-provider-acme-client-secret", "from-secret-file\n")
            _ = try fixture.write("secrets/unrelated", "x")
            let path = fixture.directory.appending(path: "secrets").path
            let environment = SourcesFixture.environment(without: ["AUTH_PROVIDER_ACME_CLIENT_SECRET"])
            let file = try fixture.write("broker.yaml", "auth: {secrets-directory: '\(path)'}")
            for (arguments, variables, file) in [
                (["--auth-secrets-directory", path], [:], nil),
                ([], ["AUTH_SECRETS_DIRECTORY": path], nil),
                ([], [:], file),
            ] as [([String], [String: String], String?)] {
                let loaded = try await SourcesFixture.load(
                    arguments: arguments, environment: environment.merging(variables) { $1 }, file: file)
                #expect(loaded.broker.providers.first?.configuration.clientSecret == Secret("from-secret-file"))
            }
        }
    }

    @Test func `Secret files are read from a Kubernetes volume, where they are symbolic links`() async throws {
        try await SourcesFixture.run { fixture in
            _ = try fixture.write("secrets/..2026_11_21/auth-provider-acme-client-secret", "from-volume")
            let secrets = fixture.directory.appending(path: "secrets").path
            let manager = FileManager.default
            try manager.createSymbolicLink(atPath: secrets + "/..data", withDestinationPath: "..2026_11_21")
            try manager.createSymbolicLink(
                atPath: secrets + "/auth-provider-acme-client-secret",
                withDestinationPath: "..data/auth-provider-acme-client-secret")
            let loaded = try await SourcesFixture.load(
                environment: SourcesFixture.environment(
                    without: ["AUTH_PROVIDER_ACME_CLIENT_SECRET"], with: ["AUTH_SECRETS_DIRECTORY": secrets]))
            #expect(loaded.broker.providers.first?.configuration.clientSecret == Secret("from-volume"))
        }
    }

    @Test func `Each source overrides those below it`() async throws {
        try await SourcesFixture.run { fixture in
            let secrets = fixture.directory.appending(path: "secrets").path
            _ = try fixture.write("secrets/auth-provider-acme-client-id", "secret.file")
            _ = try fixture.write("secrets/auth-provider-acme-callback-path", "/secret.file")
            _ = try fixture.write("secrets/auth-provider-acme-id", "secret.file")
            let file = try fixture.write(
                "broker.yaml",
                """
                auth:
                  provider:
                    acme: {client-id: file, id: file, callback-path: /file, response-mode: form_post}
                """)
            let environment = SourcesFixture.environment(with: [
                "AUTH_SECRETS_DIRECTORY": secrets, "AUTH_PROVIDER_ACME_CLIENT_ID": "environment",
                "AUTH_PROVIDER_ACME_ID": "environment",
            ])
            let loaded = try await SourcesFixture.load(
                arguments: ["--auth-provider-acme-client-id=line"], environment: environment, file: file)
            let provider = try #require(loaded.broker.providers.first)
            #expect(provider.configuration.clientID == "line")
            #expect(provider.id == "environment")
            #expect(provider.callbackPath == "/secret.file")
            #expect(provider.configuration.responseMode == .formPost)
        }
    }

    @Test func `An error names the source its value came from`() async throws {
        try await SourcesFixture.run { fixture in
            _ = try fixture.write("secrets/auth-provider-acme-id", "two words")
            let secrets = fixture.directory.appending(path: "secrets").path
            let file = try fixture.write("broker.yaml", "auth: {provider: {acme: {user-info: perhaps}}}")
            let found = try await SourcesFixture.errors(
                arguments: ["--auth-path-prefix", "nowhere", "--server-port", "high"],
                environment: SourcesFixture.environment(with: [
                    "AUTH_SECRETS_DIRECTORY": secrets, "AUTH_PROVIDER_ACME_CLOCK_SKEW_SECONDS": "soon",
                ]),
                file: file)
            let sources = Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0.source) })
            #expect(
                sources == [
                    "auth.path-prefix": "command line",
                    "server.port": "command line",
                    "auth.provider.acme.clock-skew-seconds": "environment",
                    "auth.provider.acme.id": "secret files",
                    "auth.provider.acme.user-info": "configuration file \(file), line 1",
                ])
        }
    }

    @Test(
        arguments: [
            ("auth.sealing-keys", ["--auth-sealing-keys", "hush,hush"]),
            ("auth.signing-keys", ["--auth-signing-keys=hush"]),
            ("auth.provider.acme.client-secret", ["--auth-provider-acme-client-secret", "hush"]),
            ("auth.provider.acme.client-secret", ["--auth-provider-acme-client-secret", "hush", "hush"]),
            ("auth.app.shop.client-secret", ["--auth-app-shop-client-secret", "hush"]),
            ("auth.provider.acme.client-signing-key", ["--auth-provider-acme-client-signing-key", "hush"]),
            ("auth.provider.acme.client-certificate-key", ["--auth-provider-acme-client-certificate-key", "hush"]),
            ("auth.provider.acme.decryption-keys", ["--auth-provider-acme-decryption-keys", "hush"]),
        ])
    func `A secret on the command line is refused, and not repeated`(key: String, arguments: [String]) async throws {
        let found = try await SourcesFixture.errors(
            arguments: arguments, environment: SourcesFixture.environment)
        #expect(found.map(\.key) == [key])
        #expect(found.first?.source == "command line")
        #expect(found.first?.expected.contains("\(key)-file") == true)
        #expect(!"\(found)".contains("hush"))
    }

    @Test func `The path of a file with a secret may be on the command line`() async throws {
        try await SourcesFixture.run { fixture in
            let path = try fixture.write("secret", "from-named-file")
            let loaded = try await SourcesFixture.load(
                arguments: ["--auth-provider-acme-client-secret-file", path],
                environment: SourcesFixture.environment(without: ["AUTH_PROVIDER_ACME_CLIENT_SECRET"]))
            #expect(loaded.broker.providers.first?.configuration.clientSecret == Secret("from-named-file"))
        }
    }
}
