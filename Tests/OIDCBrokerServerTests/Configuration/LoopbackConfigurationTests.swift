// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OpenIDRelyingParty
import Testing

/// The keys of the loopback listener.
struct LoopbackConfigurationTests {
    private static let token = "admin-token-0123456789abcdefghijklmnop"

    private static func environment(_ added: [String: String]) -> [String: String] {
        SourcesFixture.environment(with: SourcesFixture.accounts.merging(added) { $1 })
    }

    private static func errors(_ added: [String: String]) async throws -> [ConfigurationError] {
        try await SourcesFixture.errors(environment: environment(added))
    }

    @Test func `are read`() async throws {
        let loaded = try await SourcesFixture.load(
            environment: Self.environment([
                "SERVER_LOOPBACK_PORT": "9099", "SERVER_LOOPBACK_ADMIN_TOKEN": Self.token,
                "SERVER_LOOPBACK_OWNER": "true",
            ]))
        #expect(loaded.server.loopback.port == 9099 && loaded.server.loopback.acceptsOwner)
        #expect(loaded.server.loopback.adminToken == Secret(Self.token))
        #expect(loaded.warnings.contains { $0.hasPrefix("server.loopback.owner is true") })
    }

    @Test func `have defaults`() async throws {
        let loaded = try await SourcesFixture.load(environment: Self.environment([:]))
        #expect(loaded.server.loopback == LoopbackConfiguration())
        #expect(loaded.server.loopback.port == nil && loaded.server.loopback.adminToken == nil)
        #expect(!loaded.server.loopback.acceptsOwner)
        #expect(!loaded.warnings.contains { $0.contains("loopback") })
    }

    @Test(arguments: ["-1", "65536", "http"]) func `a port that is none is refused`(port: String) async throws {
        let found = try await Self.errors(["SERVER_LOOPBACK_PORT": port])
        #expect(found.map(\.key) == ["server.loopback.port"])
        #expect(found.first?.expected.contains("0 to 65535") == true)
    }

    @Test(
        arguments: [
            "owner", String(repeating: "a", count: 31), String(repeating: "a", count: 513),
            "two words two words two words two words", "\u{e4}\u{e4}\u{e4}\u{e4}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ])
    func `a token that can be guessed, or that no field can hold, is refused and not shown`(token: String) async throws
    {
        let found = try await Self.errors(["SERVER_LOOPBACK_PORT": "0", "SERVER_LOOPBACK_ADMIN_TOKEN": token])
        #expect(found.map(\.key) == ["server.loopback.admin-token"])
        #expect(found.first?.expected.contains("32 to 512") == true)
        #expect(!"\(found)".contains(token))
    }

    @Test func `without the port the others are refused`() async throws {
        let found = try await Self.errors([
            "SERVER_LOOPBACK_ADMIN_TOKEN": Self.token, "SERVER_LOOPBACK_OWNER": "true",
        ])
        #expect(found.map(\.key) == ["server.loopback.admin-token", "server.loopback.owner"])
        #expect(found.allSatisfy { $0.expected.contains("server.loopback.port") })
        let off = try await Self.errors(["SERVER_LOOPBACK_OWNER": "false"])
        #expect(off.isEmpty)
    }

    @Test func `without accounts there is nothing to serve`() async throws {
        let found = try await SourcesFixture.errors(
            environment: SourcesFixture.environment(with: ["SERVER_LOOPBACK_PORT": "0"]))
        #expect(found.map(\.key) == ["server.loopback.port"])
        #expect(found.first?.expected.contains("auth.accounts.project-id") == true)
        #expect(found.first?.source != nil)
    }

    @Test func `the token may be in a file, and not on the command line`() async throws {
        try await SourcesFixture.run { fixture in
            let path = try fixture.write("token", Self.token + "\n")
            let loaded = try await SourcesFixture.load(
                environment: Self.environment([
                    "SERVER_LOOPBACK_PORT": "0", "SERVER_LOOPBACK_ADMIN_TOKEN_FILE": path,
                ]))
            #expect(loaded.server.loopback.adminToken == Secret(Self.token))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let exposed = try await SourcesFixture.load(
                environment: Self.environment([
                    "SERVER_LOOPBACK_PORT": "0", "SERVER_LOOPBACK_ADMIN_TOKEN_FILE": path,
                ]))
            #expect(exposed.exposedSecretFiles.map(\.key).contains("server.loopback.admin-token-file"))
            let found = try await SourcesFixture.errors(
                arguments: ["--server-loopback-admin-token", Self.token],
                environment: Self.environment(["SERVER_LOOPBACK_PORT": "0"]))
            #expect(found.map(\.key) == ["server.loopback.admin-token"])
            #expect(!"\(found)".contains(Self.token))
        }
    }

    @Test func `the token is shown nowhere`() {
        var configuration = ServerConfiguration()
        configuration.loopback.adminToken = Secret(Self.token)
        #expect(!"\(configuration)".contains(Self.token))
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains(Self.token))
    }
}
