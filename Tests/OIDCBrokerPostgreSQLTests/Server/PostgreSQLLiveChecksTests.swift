// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import OpenIDRelyingParty
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// What `check-config --live` says of a real server.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct PostgreSQLLiveChecksTests {
        private func verdicts(
            _ server: PostgreSQLServer, user: String = "broker", _ more: String = ""
        ) async throws -> [LiveCheck.Subject: LiveCheck.Verdict] {
            let connection = try server.connection(user: user, more)
            let checks = try await PostgreSQLLiveChecks(connection, now: SystemUnixClock().now()).run()
            #expect(checks.allSatisfy { $0.verdict == .ok || $0.advice?.isEmpty == false })
            #expect(!"\(checks)".contains("hunter2"))
            return Dictionary(checks.map { ($0.subject, $0.verdict) }) { first, second in
                first == .ok ? second : first
            }
        }

        @Test func `a server that will do is a line for each thing, and so is what will not`() async throws {
            try await PostgreSQLServer.run { server async throws in
                #expect(
                    try await verdicts(server) == [
                        .store: .ok, .storePassword: .ok, .storeVersion: .ok, .storeRole: .ok, .storeCommit: .ok,
                        .storeClock: .ok, .storeSchema: .ok,
                    ])
                #expect(
                    try await verdicts(server, "options='-c synchronous_commit=off'")[.storeCommit] == .wrong)
                #expect(
                    try await verdicts(
                        server, "options='-c default_transaction_read_only=on' target_session_attrs=any")[.storeRole]
                        == .wrong)
                #expect(
                    try await verdicts(server, user: "nobody", "password=hunter2") == [.storePassword: .wrong])
                try await server.ask("UPDATE oidc_broker_schema SET version = 2")
                #expect(try await verdicts(server)[.storeSchema] == .wrong)
                try await server.ask("DROP TABLE oidc_broker_schema")
                #expect(try await verdicts(server)[.storeSchema] == .wrong)
                await server.stop()
                #expect(try await verdicts(server) == [.store: .unreachable])
            }
        }

        private func accounts(
            _ server: PostgreSQLServer, user: String = "broker", _ more: String = "", project: String = "test"
        ) async throws -> LiveCheck {
            let connection = try server.connection(user: user, more)
            let check = try await PostgreSQLLiveChecks(connection, now: SystemUnixClock().now())
                .runAccounts(of: project)
            #expect(check.subject == .accounts)
            #expect(check.verdict == .ok || check.advice?.isEmpty == false)
            #expect(!"\(check)".contains("hunter2"))
            return check
        }

        @Test func `a database that accounts can be kept in will do, and others will not`() async throws {
            try await PostgreSQLServer.run { server async throws in
                // No server has used it yet, and the check does not either.
                #expect(try await accounts(server).verdict == .ok)
                #expect(try await accounts(server, project: "other").verdict == .ok)
                let store = try await server.accounts()
                await store.shutdown()
                #expect(try await accounts(server).verdict == .ok)
                #expect(try await accounts(server, project: "other").verdict == .wrong)
                #expect(try await accounts(server, "options='-c synchronous_commit=off'").verdict == .wrong)
                let readOnly = "options='-c default_transaction_read_only=on' target_session_attrs=any"
                #expect(try await accounts(server, readOnly).verdict == .wrong)
                #expect(try await accounts(server, user: "nobody", "password=hunter2").verdict == .wrong)
                try await server.ask("DROP TABLE oidc_broker_accounts_schema")
                #expect(try await accounts(server).verdict == .wrong)
                await server.stop()
                #expect(try await accounts(server).verdict == .unreachable)
            }
        }
    }
#endif
