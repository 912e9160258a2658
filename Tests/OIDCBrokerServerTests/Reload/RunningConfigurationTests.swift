// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerOperations
import Logging
import Foundation
import NIOSSL
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// What becomes of a configuration that changed in its files.
struct RunningConfigurationTests {
    private static let skew = ("clock-skew-seconds: 30", "clock-skew-seconds: 40")

    /// How a file is changed.
    enum Way: CaseIterable, Sendable {
        case inPlace, renamedOver, linkSwapped
    }

    @Test(arguments: Way.allCases) func `a change is applied, however it is made`(way: Way) async throws {
        try await ReloadFixture.run { fixture, running in
            let before = running.inUse
            let changed = SourcesFixture.yaml.replacing(Self.skew.0, with: Self.skew.1)
            switch way {
            case .inPlace: try Data(changed.utf8).write(to: URL(filePath: fixture.file))
            case .renamedOver: try fixture.directory.write("broker.yaml", changed.utf8)
            case .linkSwapped:
                let target = try fixture.directory.write("next.yaml", changed.utf8)
                let draft = fixture.directory.file("draft")
                try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: target)
                try #require(rename(draft, fixture.file) == 0)
            }
            await running.look()
            #expect(running.inUse == before)
            await running.look()
            #expect(running.inUse.broker.providers != before.broker.providers)
            #expect(fixture.broker.current.configuration == running.inUse.broker)
            #expect(
                fixture.log.take() == [
                    .init(level: .notice, message: ReloadFixture.reloaded, changed: "auth.provider.acme")
                ])
            #expect(fixture.reloads("applied") == 1 && fixture.reloads("refused") == 0)
            #expect(try fixture.gauge("auth_configuration_valid") == 1)
        }
    }

    @Test func `what changed nothing is not spoken of`() async throws {
        try await ReloadFixture.run { fixture, running in
            let before = fixture.broker.current
            try fixture.edit(Self.skew.0, Self.skew.0 + "  # thirty")
            await running.lookTwice()
            await running.signal()
            #expect(fixture.log.lines.isEmpty)
            #expect(fixture.reloads("applied") == 0)
            #expect(fixture.broker.current === before)
        }
    }

    @Test func `the fingerprint is that of what was last read and is valid, also if it changed nothing`() async throws {
        try await ReloadFixture.run { fixture, running in
            let location = ConfigurationLocation(environment: [:], configurationFile: fixture.file)
            let first = try #require(fixture.fingerprint.current)
            #expect(try await location.load().fingerprint == first)
            try fixture.edit(Self.skew.0, Self.skew.0 + "  # thirty")
            await running.lookTwice()
            #expect(fixture.log.lines.isEmpty)
            let second = try #require(fixture.fingerprint.current)
            #expect(second != first)
            // It is what a process shows that starts now.
            #expect(try await location.load().fingerprint == second)
            try fixture.edit("  port: 0", "  port: 0\n  maximum-connections: 0")
            await running.lookTwice()
            #expect(!running.isValid && fixture.fingerprint.current == second)
        }
    }

    @Test func `a certificate that ends soon is a warning at a reload, once`() async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
        let bytes = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8))
        let end = try #require(bytes.first.map { Int64($0.notValidAfter) })
        let clock = TestClock(now: end - 20 * 86_400)
        func variables(_ directory: TemporaryDirectory) throws -> [String: String] {
            [
                "SERVER_TLS_CERTIFICATE_CHAIN": try directory.write("chain.pem", certificate.certificatePEM.utf8),
                "SERVER_TLS_PRIVATE_KEY": try directory.write("key.pem", certificate.privateKeyPEM.utf8),
            ]
        }
        try await ReloadFixture.run(prepare: variables, clock: clock) { fixture, running in
            clock.advance(by: 10 * 86_400)
            for (seconds, warnings) in [(31, 1), (32, 0)] {
                try fixture.edit(
                    seconds == 31 ? Self.skew.0 : "clock-skew-seconds: 31", "clock-skew-seconds: \(seconds)")
                await running.lookTwice()
                let found = fixture.log.take().filter { $0.level == .warning }.map(\.message)
                let text =
                    "server.tls.certificate-chain: expected a certificate with at least 14 days left; it has 10 days left"
                #expect(found == Array(repeating: text, count: warnings))
            }
        }
    }

    @Test func `the names of what changed are logged, and no value`() async throws {
        try await ReloadFixture.run { fixture, running in
            try fixture.edit("  apps: [shop]", "  path-prefix: /sign-in\n  apps: [shop]\n  branding: {operator: Hush}")
            try fixture.edit("client-secret: from-yaml", "client-secret: hush-hush")
            try fixture.edit("https://shop.example/cb", "https://shop.example/hush")
            try fixture.edit("  port: 0", "  port: 0\n  log: {level: debug}\n  maximum-connections: 9")
            await running.lookTwice()
            let line = try #require(fixture.log.take().first)
            #expect(
                line.changed
                    == "auth.path-prefix, auth.provider.acme, auth.app.shop, auth.branding, "
                    + "server.maximum-connections, server.log.level")
            #expect(!line.message.lowercased().contains("hush"))
            #expect(fixture.broker.handles(path: "/sign-in/jwks"))
            #expect(!fixture.broker.handles(path: "/__/auth/jwks"))
            #expect(fixture.server.live.current.limits.connections == 9)
            #expect(fixture.level.current == .debug)
        }
    }

    @Test func `errors keep all of the old, and are logged once, one a line`() async throws {
        try await ReloadFixture.run { fixture, running in
            let before = fixture.broker.current
            try fixture.edit("  port: 0", "  port: 0\n  maximum-connections: 0\n  hsts-max-age-seconds: 1")
            try fixture.edit("client-id: broker", "client-id: broker\n      cleint-secret: hush")
            for _ in 0..<5 { await running.look() }
            let lines = fixture.log.take()
            #expect(lines.map(\.level) == [.error, .error, .error])
            #expect(lines[0].message.hasPrefix("server.maximum-connections (from configuration file"))
            #expect(lines[1].message.hasPrefix("auth.provider.acme.cleint-secret"))
            #expect(lines[2].message == ReloadFixture.refused)
            #expect(!lines.contains { $0.message.contains("hush") })
            #expect(fixture.broker.current === before)
            #expect(fixture.server.live.current.strictTransportSecurity == .seconds(31_536_000))
            #expect(!running.isValid)
            #expect(try fixture.gauge("auth_configuration_valid") == 0)
            #expect(fixture.reloads("refused") == 1 && fixture.reloads("applied") == 0)
            // A signal reports it again.
            await running.signal()
            #expect(fixture.log.take() == lines)
            try fixture.directory.write("broker.yaml", SourcesFixture.yaml.utf8)
            await running.lookTwice()
            #expect(fixture.log.take() == [.init(level: .notice, message: ReloadFixture.again)])
            #expect(try fixture.gauge("auth_configuration_valid") == 1)
        }
    }

    @Test func `a file that is half written is refused at most, and the whole one is applied`() async throws {
        try await ReloadFixture.run { fixture, running in
            let whole = SourcesFixture.yaml.replacing(Self.skew.0, with: Self.skew.1)
            let half = Array(whole.utf8.prefix(whole.utf8.count / 2))
            let before = running.inUse
            // Written between two looks, the half is not even read.
            try fixture.directory.write("broker.yaml", half)
            await running.look()
            try fixture.directory.write("broker.yaml", whole.utf8)
            await running.look()
            #expect(running.inUse == before && fixture.log.lines.isEmpty)
            await running.look()
            #expect(fixture.log.take().map(\.message) == [ReloadFixture.reloaded])
            // Where the writing takes long.
            let applied = running.inUse
            try fixture.directory.write("broker.yaml", half)
            await running.lookTwice()
            #expect(running.inUse == applied)
            #expect(fixture.log.take().last?.message == ReloadFixture.refused)
            try fixture.directory.write("broker.yaml", SourcesFixture.yaml.utf8)
            await running.lookTwice()
            #expect(running.inUse == before)
            #expect(fixture.log.take().map(\.message) == [ReloadFixture.reloaded])
        }
    }

    @Test(arguments: [WatchedFilesTests.Change.remove, .directory, .danglingLink, .pipe, .tooLong])
    func `a file that cannot be read any more keeps all of the old`(change: WatchedFilesTests.Change) async throws {
        let secret = "client-secret-file: "
        try await ReloadFixture.run(
            { SourcesFixture.yaml.replacing("client-secret: from-yaml", with: secret + $0.file("value")) },
            prepare: { directory in
                try directory.write("value", "from-file".utf8)
                return [:]
            }
        ) { fixture, running in
            let before = fixture.broker.current
            try change.make(in: fixture.directory)
            await running.lookTwice()
            let lines = fixture.log.take()
            #expect(lines.first?.message.hasPrefix("auth.provider.acme.client-secret") == true)
            #expect(lines.last?.message == ReloadFixture.refused)
            #expect(fixture.broker.current === before)
            try? FileManager.default.removeItem(atPath: fixture.directory.file("value"))
            try fixture.directory.write("value", "other".utf8)
            await running.lookTwice()
            #expect(fixture.log.take().first?.changed == "auth.provider.acme")
            #expect(running.inUse.broker.providers[0].configuration.clientSecret == Secret("other"))
        }
    }

    @Test(arguments: [true, false]) func `a configuration file in whose place something else is`(
        isDirectory: Bool
    ) async throws {
        try await ReloadFixture.run { fixture, running in
            let before = running.inUse
            try FileManager.default.removeItem(atPath: fixture.file)
            if isDirectory {
                try FileManager.default.createDirectory(atPath: fixture.file, withIntermediateDirectories: false)
            } else {
                try FileManager.default.createSymbolicLink(
                    atPath: fixture.file, withDestinationPath: fixture.directory.file("nowhere"))
            }
            await running.lookTwice()
            #expect(running.inUse == before)
            #expect(fixture.log.take().first?.message.hasPrefix("--config") == true)
            try FileManager.default.removeItem(atPath: fixture.file)
            try fixture.directory.write(
                "broker.yaml", SourcesFixture.yaml.replacing(Self.skew.0, with: Self.skew.1).utf8)
            await running.lookTwice()
            #expect(fixture.log.take().map(\.message) == [ReloadFixture.reloaded])
        }
    }
}
