// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBrokerOperations
import OIDCBrokerTesting
import Foundation
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// Which files are watched, besides the configuration file.
struct WatchedSourcesTests {
    private static func secret(_ running: RunningConfiguration) -> Secret? {
        running.inUse.broker.providers.first?.configuration.clientSecret
    }

    @Test func `a secrets directory whose files Kubernetes swaps`() async throws {
        let name = "auth-provider-acme-client-secret"
        try await ReloadFixture.run(
            { _ in SourcesFixture.yaml.replacing("      client-secret: from-yaml\n", with: "") },
            prepare: { directory in
                ["AUTH_SECRETS_DIRECTORY": try SecretVolume(in: directory, [name: "one"]).path]
            }
        ) { fixture, running in
            #expect(Self.secret(running) == Secret("one"))
            let volume = SecretVolume(at: fixture.directory.file("volume"))
            try volume.swap([name: "two"])
            await running.lookTwice()
            #expect(Self.secret(running) == Secret("two"))
            #expect(fixture.log.take().map(\.changed) == ["auth.provider.acme"])
            // A file that is no key of a known provider.
            try volume.swap([name: "three", "auth-provider-acme-client-secrt": "four"])
            await running.lookTwice()
            #expect(fixture.log.take().last?.message == ReloadFixture.refused)
            #expect(Self.secret(running) == Secret("two"))
            try volume.swap([name: "three"])
            await running.lookTwice()
            #expect(Self.secret(running) == Secret("three"))
            // One that others can read is named, once.
            _ = fixture.log.take()
            for text in ["four", "five"] {
                try volume.swap([name: text], mode: 0o644)
                await running.lookTwice()
                #expect(Self.secret(running) == Secret(text))
                let warnings = fixture.log.take().filter { $0.level == .warning }.map(\.message)
                #expect(warnings.count == (text == "four" ? 1 : 0))
                #expect(warnings.allSatisfy { $0.hasPrefix("\(name): ") && $0.hasSuffix("has the mode 644") })
            }
        }
    }

    @Test func `a file that a change names is watched from then on`() async throws {
        try await ReloadFixture.run { fixture, running in
            let file = try fixture.directory.write("secret", "one".utf8)
            #expect(!running.files.paths.contains(file))
            try fixture.edit("client-secret: from-yaml", "client-secret-file: \(file)")
            await running.lookTwice()
            #expect(Self.secret(running) == Secret("one"))
            #expect(running.files.paths == [file, fixture.file])
            try fixture.directory.write("secret", "two".utf8)
            await running.lookTwice()
            #expect(Self.secret(running) == Secret("two"))
            // And no longer when nothing names it.
            try fixture.edit("client-secret-file: \(file)", "client-secret: inline")
            await running.lookTwice()
            #expect(running.files.paths == [fixture.file])
        }
    }

    @Test func `a file that a change names before it is there`() async throws {
        try await ReloadFixture.run { fixture, running in
            try fixture.edit("client-secret: from-yaml", "client-secret-file: \(fixture.directory.file("late"))")
            await running.lookTwice()
            #expect(fixture.log.take().last?.message == ReloadFixture.refused)
            try fixture.directory.write("late", "here".utf8)
            await running.lookTwice()
            #expect(Self.secret(running) == Secret("here"))
        }
    }

    @Test func `TLS files are not watched, unless a configuration was refused for them`() async throws {
        let skew = ("clock-skew-seconds: 30", "clock-skew-seconds: 40")
        try await ReloadFixture.run(
            {
                SourcesFixture.yaml + "\n  tls: {certificate-chain: \($0.file("certificate.pem")), private-key: "
                    + "\($0.file("key.pem"))}\n"
            },
            prepare: { directory in
                try directory.write(TestCertificate.shared())
                return [:]
            }
        ) { fixture, running in
            let other = try TestCertificate.make()
            #expect(running.files.paths == [fixture.file])
            try fixture.directory.write("certificate.pem", other.certificatePEM.utf8)
            await running.lookTwice()
            #expect(fixture.log.lines.isEmpty)
            // The pair does not fit together yet.
            try fixture.edit(skew.0, skew.1)
            await running.lookTwice()
            #expect(fixture.log.take().last?.message == ReloadFixture.refused)
            try fixture.directory.write("key.pem", other.privateKeyPEM.utf8)
            await running.lookTwice()
            #expect(fixture.log.take().map(\.changed) == ["auth.provider.acme"])
            #expect(running.files.paths == [fixture.file])
        }
    }

    @Test func `TLS files that are read again by themselves are no part of the fingerprint`() async throws {
        try await TemporaryDirectory.use { directory in
            let files = try directory.write(TestCertificate.shared())
            let yaml =
                SourcesFixture.yaml + "\n  tls: {certificate-chain: \(files.certificateChain), private-key: "
                + "\(files.privateKey)}\n"
            let location = ConfigurationLocation(
                environment: [:], configurationFile: try directory.write("broker.yaml", yaml.utf8))
            let first = try #require(try await location.load().fingerprint)
            try directory.write(TestCertificate.make())
            #expect(try await location.load().fingerprint == first)
        }
    }

    @Test func `with reload by signal the files are read at a signal alone`() async throws {
        try await ReloadFixture.run({ _ in SourcesFixture.yaml + "\n  reload: signal\n" }) { fixture, running in
            let before = running.inUse
            try fixture.edit("clock-skew-seconds: 30", "clock-skew-seconds: 40")
            for _ in 0..<4 { await running.look() }
            #expect(running.inUse == before)
            await running.signal()
            #expect(running.inUse != before)
            #expect(fixture.log.take().map(\.message) == [ReloadFixture.reloaded])
        }
    }

    @Test func `keys that were made on a loopback address are the same after a reload`() async throws {
        let yaml = """
            auth:
              public-url: http://localhost:8080
              providers: [acme]
              provider: {acme: {issuer: https://login.acme.example, client-id: broker, client-secret: one}}
              apps: [shop]
              app: {shop: {redirect-uris: ["https://shop.example/cb"]}}
            """
        try await ReloadFixture.run({ _ in yaml }) { fixture, running in
            let before = running.inUse.broker
            let fingerprint = try #require(fixture.fingerprint.current)
            await running.signal()
            #expect(fixture.fingerprint.current == fingerprint)
            try fixture.edit("client-secret: one", "client-secret: two")
            await running.lookTwice()
            #expect(fixture.log.take().map(\.changed) == ["auth.provider.acme"])
            #expect(running.inUse.broker.sealingKeys == before.sealingKeys)
            #expect(running.inUse.broker.signingKeys == before.signingKeys)
            // Keys that are configured take their place.
            try fixture.edit("  apps: [shop]", "  apps: [shop]\n  sealing-keys: [\(SourcesFixture.sealingKey)]")
            await running.lookTwice()
            #expect(running.inUse.broker.sealingKeys == [Secret(SourcesFixture.sealingKey)])
            // Another line warns of the secret in a file that others can read.
            #expect(fixture.log.take().compactMap(\.changed) == ["auth.sealing-keys"])
        }
    }
}
