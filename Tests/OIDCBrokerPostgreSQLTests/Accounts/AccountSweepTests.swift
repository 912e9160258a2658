// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import NIOCore
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// The sweeping on a real server.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct AccountSweepTests {
        private static func add(_ count: Int, to server: PostgreSQLServer) async throws {
            try await server.ask(
                """
                INSERT INTO oidc_broker_consumed (hash, expiry)
                SELECT sha256(number::text::bytea), number FROM generate_series(1, \(count)) AS number
                """)
        }

        @Test func `more than a transaction removes is removed in several`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                func sweep(_ limit: Int) async throws -> Int {
                    try await caller.store.sweep(before: 2500, limit: limit, on: caller.eventLoop).get()
                }
                try await Self.add(2600, to: server)
                #expect(try await sweep(1000) == 1000)
                #expect(try await sweep(1200) == 1200)
                #expect(try await sweep(.max) == 300)
                #expect(try await sweep(.max) == 0)
                #expect(try await server.ask("SELECT count(*) FROM oidc_broker_consumed").onlyTexts == ["100"])
            }
        }

        @Test func `what another process is at is left to it`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                try await Self.add(20, to: server)
                async let lock = server.ask(
                    """
                    BEGIN; SELECT FROM oidc_broker_consumed WHERE expiry <= 5 FOR UPDATE; SELECT pg_sleep(2); ROLLBACK
                    """)
                while try await server.ask("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'").rows.isEmpty {
                }
                #expect(try await caller.store.sweep(before: 20, limit: 100, on: caller.eventLoop).get() == 15)
                _ = try await lock
                #expect(try await caller.store.sweep(before: 20, limit: 100, on: caller.eventLoop).get() == 5)
            }
        }
    }
#endif
