// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import SignInWithAppleTesting
import Testing

/// The permissions of files that contain secrets.
struct SecretFileModeTests {
    private static func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private static func load(_ fixture: SourcesFixture, _ variable: String, _ path: String) async throws
        -> LoadedConfiguration
    {
        try await SourcesFixture.load(
            environment: SourcesFixture.environment(without: [variable], with: [variable + "_FILE": path]))
    }

    @Test(
        arguments: [0o644, 0o604, 0o602, 0o601, 0o620, 0o666])
    func `Read or written by others, or written by the group, is named with its path and mode`(mode: Int) async throws {
        try await SourcesFixture.run { fixture in
            let path = try fixture.write("key.pem", SourcesFixture.signingKey)
            try Self.setMode(mode, path)
            let found = try await Self.load(fixture, "AUTH_SIGNING_KEYS", path).exposedSecretFiles
            #expect(found.map(\.key) == ["auth.signing-keys-file"])
            #expect(found.first?.expected.contains("'\(path)' has the mode \(String(mode, radix: 8))") == true)
        }
    }

    @Test(arguments: [0o600, 0o400, 0o440, 0o640])
    func `Read by the group at most is fine`(mode: Int) async throws {
        try await SourcesFixture.run { fixture in
            let path = try fixture.write("key.pem", SourcesFixture.signingKey)
            try Self.setMode(mode, path)
            #expect(try await Self.load(fixture, "AUTH_SIGNING_KEYS", path).exposedSecretFiles.isEmpty)
        }
    }

    @Test func `A symbolic link is followed`() async throws {
        try await SourcesFixture.run { fixture in
            let path = try fixture.write("sealing-keys", SourcesFixture.sealingKey)
            let link = fixture.directory.appending(path: "link").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            try Self.setMode(0o600, path)
            #expect(try await Self.load(fixture, "AUTH_SEALING_KEYS", link).exposedSecretFiles.isEmpty)
            try Self.setMode(0o644, path)
            let found = try await Self.load(fixture, "AUTH_SEALING_KEYS", link).exposedSecretFiles
            #expect(found.map(\.key) == ["auth.sealing-keys-file"])
        }
    }

    @Test func `Apple's .p8 file is one of them`() async throws {
        try await SourcesFixture.run { fixture in
            let path = try fixture.write("AuthKey.p8", SourcesFixture.signingKey)
            let variables = SourcesFixture.environment(
                without: [
                    "AUTH_PROVIDER_ACME_ISSUER", "AUTH_PROVIDER_ACME_CLIENT_ID", "AUTH_PROVIDER_ACME_CLIENT_SECRET",
                ],
                with: [
                    "AUTH_PROVIDERS": "apple", "AUTH_PROVIDER_APPLE_KIND": "apple",
                    "AUTH_PROVIDER_APPLE_CLIENT_ID": "com.example.web", "AUTH_PROVIDER_APPLE_TEAM_ID": "ABCDE12345",
                    "AUTH_PROVIDER_APPLE_KEY_ID": "FGHIJ67890", "AUTH_PROVIDER_APPLE_PRIVATE_KEY_FILE": path,
                ])
            for (mode, keys) in [(0o640, []), (0o644, ["auth.provider.apple.private-key-file"])] {
                try Self.setMode(mode, path)
                let loaded = try await SourcesFixture.load(environment: variables)
                #expect(loaded.exposedSecretFiles.map(\.key) == keys)
            }
        }
    }

    @Test func `The files of the secrets directory are among them, as far as they have secrets`() async throws {
        try await SourcesFixture.run { fixture in
            let name = "auth-provider-acme-client-secret"
            let secret = try fixture.write("secrets/" + name, "from-secret-file")
            try Self.setMode(0o644, try fixture.write("secrets/auth-provider-acme-client-id", "broker"))
            let variables = SourcesFixture.environment(
                without: ["AUTH_PROVIDER_ACME_CLIENT_SECRET", "AUTH_PROVIDER_ACME_CLIENT_ID"],
                with: ["AUTH_SECRETS_DIRECTORY": fixture.directory.appending(path: "secrets").path])
            for (mode, keys) in [(0o600, []), (0o440, []), (0o644, [name]), (0o620, [name])] as [(Int, [String])] {
                try Self.setMode(mode, secret)
                let found = try await SourcesFixture.load(environment: variables).exposedSecretFiles
                #expect(found.map(\.key) == keys)
                let end = "'\(secret)' has the mode \(String(mode, radix: 8))"
                #expect(found.allSatisfy { $0.expected.hasSuffix(end) })
            }
        }
    }

    @Test func `Of the links of a Kubernetes volume the mode is that of the file`() async throws {
        try await TemporaryDirectory.use { directory in
            let name = "auth-provider-acme-client-secret"
            let volume = try SecretVolume(in: directory, [name: "one"])
            let variables = SourcesFixture.environment(
                without: ["AUTH_PROVIDER_ACME_CLIENT_SECRET"], with: ["AUTH_SECRETS_DIRECTORY": volume.path])
            #expect(try await SourcesFixture.load(environment: variables).exposedSecretFiles.isEmpty)
            try volume.swap([name: "two"], mode: 0o644)
            #expect(try await SourcesFixture.load(environment: variables).exposedSecretFiles.map(\.key) == [name])
        }
    }

    @Test func `The listener's private key is one of them, its certificates are not`() async throws {
        try await SourcesFixture.run { fixture in
            let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
            let chain = try fixture.write("chain.pem", certificate.certificatePEM)
            let key = try fixture.write("key.pem", certificate.privateKeyPEM)
            try Self.setMode(0o644, chain)
            let variables = SourcesFixture.environment(
                with: ["SERVER_TLS_CERTIFICATE_CHAIN": chain, "SERVER_TLS_PRIVATE_KEY": key])
            for (mode, keys) in [(0o600, []), (0o644, ["server.tls.private-key"])] {
                try Self.setMode(mode, key)
                let loaded = try await SourcesFixture.load(environment: variables)
                #expect(loaded.exposedSecretFiles.map(\.key) == keys)
            }
        }
    }

    @Test func `Where proxies do not name their clients, the operator is told that nothing is limited`() async throws {
        try await SourcesFixture.run { fixture in
            let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
            let chain = try fixture.write("chain.pem", certificate.certificatePEM)
            let key = try fixture.write("key.pem", certificate.privateKeyPEM)
            let tls = ["SERVER_TLS_CERTIFICATE_CHAIN": chain, "SERVER_TLS_PRIVATE_KEY": key]
            let proxies = ["SERVER_TRUSTED_PROXIES": "10.0.0.0/8"]
            let field = ["SERVER_FORWARDED": "x-forwarded-for"]
            let everywhere = ["SERVER_HOST": "0.0.0.0"]
            let socket = ["SERVER_UNIX_SOCKET": "/run/broker.sock"]
            for (variables, isTold) in [
                ([], false), ([tls, everywhere], false), ([tls, everywhere, proxies], false),
                ([everywhere, proxies], true), ([everywhere, proxies, field], false), ([socket], true),
                ([socket, field], false),
            ] as [([[String: String]], Bool)] {
                let all: [String: String] = variables.reduce(into: [:]) { $0.merge($1) { $1 } }
                let loaded = try await SourcesFixture.load(environment: SourcesFixture.environment(with: all))
                #expect(loaded.warnings.contains { $0.contains("server.forwarded") } == isTold, "\(all.keys)")
            }
        }
    }
}
