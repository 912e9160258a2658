// SPDX-License-Identifier: Apache-2.0

import Logging
import OIDCBroker
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// What cannot change while a server runs.
struct RestartNeededTests {
    @Test func `these keys need a restart, and no others`() {
        let tables = BrokerConfiguration.settingsTables + ServerConfiguration.settingsTables
        let fixed = tables.flatMap { table in
            table.rows.filter(\.isFixedWhileRunning).map { table.prefix + $0.key }
        }
        #expect(
            Set(fixed) == [
                "auth.store-bytes", "auth.store.kind", "auth.store.prefix", "auth.store.valkey.address",
                "auth.store.valkey.username", "auth.store.valkey.tls", "auth.store.valkey.certificate-authorities",
                "auth.store.valkey.client-certificate", "auth.store.valkey.client-certificate-key",
                "auth.store.valkey.database", "auth.store.valkey.sentinels", "auth.store.valkey.primary-name",
                "auth.store.valkey.sentinel-username", "auth.store.valkey.sentinel-password",
                "auth.store.valkey.standbys-to-wait-for", "auth.store.postgresql.connection",
                "auth.store.postgresql.connections", "auth.secrets-directory", "auth.accounts.project-id",
                "auth.accounts.database",
                "server.host", "server.port", "server.unix-socket", "server.provider-transport",
                "server.redirect.port", "server.reload", "server.tls.certificate-chain", "server.tls.private-key",
                "server.log.format", "server.log.audit", "server.operations.host", "server.operations.port",
                "server.loopback.port",
            ])
        #expect(
            tables.allSatisfy { table in
                table.rows.allSatisfy { $0.isFixedWhileRunning == $0.notes.contains("restart") }
            })
    }

    /// A change of the configuration file, and the keys that must be named.
    struct Row: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let names: String

        var testDescription: String { names }

        init(server line: String, _ names: String) {
            (old, new, self.names) = ("  port: 0", "  port: 0\n  " + line, names)
        }

        init(auth line: String, _ names: String) {
            (old, new, self.names) = ("auth:\n", "auth:\n  " + line + "\n", names)
        }
    }

    private static let accounts = """
        accounts: {project-id: acme-people, database: "sqlite:/nowhere/accounts.sqlite", \
        signing-keys: "\(SourcesFixture.accounts["AUTH_ACCOUNTS_SIGNING_KEYS"]?.replacing("\n", with: "\\n") ?? "")"}
          sdk-apps: [web]
          sdk-app: {web: {api-key: key-of-the-web-app}}
        """

    @Test(arguments: [
        Row(server: "host: 127.0.0.2", "server.host"),
        Row(server: "provider-transport: async-http-client", "server.provider-transport"),
        Row(server: "unix-socket: /nowhere/socket", "server.unix-socket"),
        Row(server: "redirect: {port: 0}", "server.redirect.port"),
        Row(server: "reload: signal", "server.reload"),
        Row(
            auth: "store: {kind: valkey, prefix: other, valkey: {address: \"127.0.0.1:6379\", database: 3}}",
            "auth.store.kind, auth.store.prefix, auth.store.valkey.address, auth.store.valkey.database"),
        Row(server: "log: {format: json, audit: /nowhere/audit}", "server.log.format, server.log.audit"),
        Row(server: "operations: {host: \"::1\", port: 0}", "server.operations.host, server.operations.port"),
        Row(auth: "store-bytes: 8388608", "auth.store-bytes"),
        Row(auth: "secrets-directory: /nowhere/secrets", "auth.secrets-directory"),
        Row(auth: accounts, "auth.accounts.project-id"),
    ]) func `a change that needs a restart is named once, and the rest is applied`(row: Row) async throws {
        try await ReloadFixture.run { fixture, running in
            let before = running.inUse
            try fixture.edit(row.old, row.new)
            await running.lookTwice()
            #expect(running.inUse == before)
            let warning = LineRecorder.Line(level: .warning, message: ReloadFixture.restart, changed: row.names)
            #expect(fixture.log.take() == [warning])
            #expect(try fixture.gauge("auth_configuration_restart_needed") == 1)
            #expect(try fixture.gauge("auth_configuration_valid") == 1)
            // What can change does, beside it.
            try fixture.edit("clock-skew-seconds: 30", "clock-skew-seconds: 40")
            await running.lookTwice()
            #expect(fixture.log.take().map(\.changed) == ["auth.provider.acme"])
            #expect(running.inUse.server == before.server && running.inUse.accounts == nil)
            #expect(running.inUse.broker.storeBytes == before.broker.storeBytes)
            #expect(running.restartNeeded.joined(separator: ", ") == row.names)
            try fixture.edit(row.new, row.old)
            await running.lookTwice()
            #expect(fixture.log.lines.isEmpty)
            #expect(try fixture.gauge("auth_configuration_restart_needed") == 0)
        }
    }

    @Test func `the port of the loopback listener needs a restart, its token and owner do not`() async throws {
        let token = "admin-token-0123456789abcdefghijklmnop"
        let yaml = SourcesFixture.yaml.replacing("auth:\n", with: "auth:\n  " + Self.accounts + "\n")
            .replacing("  port: 0", with: "  port: 0\n  loopback: {port: 0, admin-token: \(token)}")
        try await ReloadFixture.run({ _ in yaml }) { fixture, running in
            try fixture.edit("admin-token: \(token)", "admin-token: other-\(token), owner: true")
            await running.lookTwice()
            let live = fixture.server.live.current.loopback
            #expect(live.adminToken?.exposed == "other-" + token && live.acceptsOwner && live.port == 0)
            let lines = fixture.log.take()
            #expect(lines.first?.message == ReloadFixture.reloaded)
            #expect(lines.first?.changed == "server.loopback.admin-token, server.loopback.owner")
            #expect(lines.dropFirst().map(\.level) == [.warning])
            #expect(!"\(lines)".contains(token))
            try fixture.edit("loopback: {port: 0,", "loopback: {port: 9099,")
            await running.lookTwice()
            #expect(fixture.log.take().map(\.changed) == ["server.loopback.port"])
            #expect(fixture.server.live.current.loopback.port == 0)
            #expect(try fixture.gauge("auth_configuration_restart_needed") == 1)
        }
    }

    @Test func `TLS files are neither added nor replaced by others`() async throws {
        try await ReloadFixture.run(prepare: { directory in
            try directory.write(TestCertificate.shared())
            return [:]
        }) { fixture, running in
            let files = (fixture.directory.file("certificate.pem"), fixture.directory.file("key.pem"))
            try fixture.edit("  port: 0", "  port: 0\n  tls: {certificate-chain: \(files.0), private-key: \(files.1)}")
            await running.lookTwice()
            #expect(
                fixture.log.take().map(\.changed) == ["server.tls.certificate-chain, server.tls.private-key"])
            #expect(running.inUse.server.tls == nil)
            #expect(fixture.server.live.current.tls == nil)
        }
    }

    @Test func `what is valid only with a change that needs a restart is refused as a whole`() async throws {
        try await ReloadFixture.run { fixture, running in
            let before = running.inUse
            // Without the accounts, no app can show any.
            try fixture.edit("auth:\n", "auth:\n  " + Self.accounts + "\n")
            try fixture.edit("    shop:\n", "    shop:\n      accounts: true\n")
            await running.lookTwice()
            let lines = fixture.log.take()
            #expect(lines.first?.message.hasPrefix("auth.app.shop.accounts") == true)
            #expect(lines.last?.message == ReloadFixture.refused)
            #expect(running.inUse == before)
            #expect(try fixture.gauge("auth_configuration_restart_needed") == 0)
        }
    }

    @Test func `a server that is reloaded in code keeps what needs a restart, and refuses errors`() async throws {
        try await ReloadFixture.run { fixture, _ in
            var changed = fixture.server.live.current
            changed.port = 1
            changed.limits.connectionsPerAddress = 7
            try fixture.server.reload(changed)
            #expect(fixture.server.live.current.port == 0)
            #expect(fixture.server.live.current.limits.connectionsPerAddress == 7)
            changed.limits.connectionsPerAddress = 0
            let error = #expect(throws: BrokerConfigurationError.self) { try fixture.server.reload(changed) }
            #expect(error?.errors.map(\.key) == ["server.maximum-connections-per-address"])
            #expect(fixture.server.live.current.limits.connectionsPerAddress == 7)
        }
    }
}
