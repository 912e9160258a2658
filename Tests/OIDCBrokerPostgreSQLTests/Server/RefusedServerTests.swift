// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Logging
    import SingleUse
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// A real server that is not used as it is.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct RefusedServerTests {
        /// Expects that a store on a server fails with an error.
        private static func expect(
            _ error: PostgreSQLStoreError, _ server: PostgreSQLServer, user: String = "broker", _ more: String = ""
        ) async throws {
            let store = try server.store(user: user, more)
            await #expect(throws: error) { try await StoreCaller(store).claim(.test(1)) }
            await #expect(throws: error) { try await StoreCaller(store).read(.test(1)) }
            await store.shutdown()
        }

        @Test func `one that acknowledges too early, does not allow writes, or does not know the user`() async throws {
            try await PostgreSQLServer.run { server async throws in
                for commit in ["off", "local", "remote_write"] {
                    try await Self.expect(.notDurable, server, "options='-c synchronous_commit=\(commit)'")
                }
                let readOnly = "options='-c default_transaction_read_only=on'"
                try await Self.expect(.notPrimary, server, readOnly)
                try await Self.expect(.notPrimary, server, readOnly + " target_session_attrs=any")
                try await Self.expect(.wrongPassword, server, user: "nobody")
                let store = try server.store("options='-c synchronous_commit=remote_apply'")
                #expect(try await StoreCaller(store).claim(.test(1)) == .won)
                await store.shutdown()
            }
        }

        @Test func `one without the tables, or with others`() async throws {
            try await PostgreSQLServer.run(isMigrated: false) { server async throws in
                try await Self.expect(.wrongSchema, server)
                try await PostgreSQLSchema.migrate(try server.connection())
                try await PostgreSQLSchema.migrate(try server.connection())
                let store = try server.store()
                #expect(try await StoreCaller(store).claim(.test(2)) == .won)
                await store.shutdown()
                try await server.ask("ALTER TABLE oidc_broker_claim SET UNLOGGED")
                try await Self.expect(.wrongSchema, server)
                try await server.ask("ALTER TABLE oidc_broker_claim SET LOGGED")
                try await server.ask("UPDATE oidc_broker_schema SET version = 2")
                try await Self.expect(.wrongSchema, server)
                await #expect(throws: PostgreSQLStoreError.wrongSchema) {
                    try await PostgreSQLSchema.migrate(try server.connection())
                }
                try await server.ask("DROP TABLE oidc_broker_value; UPDATE oidc_broker_schema SET version = 1")
                try await Self.expect(.wrongSchema, server)
            }
        }

        @Test func `several processes make the tables at once`() async throws {
            try await PostgreSQLServer.run(isMigrated: false) { server async throws in
                let connection = try server.connection()
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<4 { tasks.addTask { try await PostgreSQLSchema.migrate(connection) } }
                    try await tasks.waitForAll()
                }
                let store = try server.store()
                #expect(try await StoreCaller(store).claim(.test(1)) == .won)
                await store.shutdown()
            }
        }

        @Test func `a commit whose wait for a standby is canceled is a failure`() async throws {
            try await PostgreSQLServer.withStore { server, store async throws in
                #expect(try await store.claim(.test(1)) == .won)
                try await server.ask("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
                try await server.ask("SELECT pg_reload_conf()")
                var errors: Set<PostgreSQLStoreError> = []
                // Without the cancellation it is the time that is over.
                for number: UInt8 in 2...20 where !errors.contains(.notDurable) {
                    async let claim = store.claim(.test(number))
                    for _ in 0..<10 {
                        try await server.ask(
                            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                    }
                    do {
                        // The setting is not taken at once.
                        let claimed = try await claim
                        #expect(claimed == .won)
                    } catch let error as PostgreSQLStoreError {
                        errors.insert(error)
                    }
                }
                #expect(errors.contains(.notDurable))
                #expect(errors.isSubset(of: [.notDurable, .timeout]))
            }
        }

        @Test func `it is logged once, without what is secret`() async throws {
            try await PostgreSQLServer.run { server async throws in
                let recorder = MetadataRecorder()
                let store = try server.store(user: "nobody", "password=hunter2", logger: recorder.logger)
                for _ in 0..<3 {
                    await #expect(throws: PostgreSQLStoreError.wrongPassword) {
                        try await StoreCaller(store).read(.test(1))
                    }
                }
                await store.shutdown()
                #expect(recorder.lines == [["code": "wrongPassword", "detail": "SQLSTATE 28000"]])
            }
        }
    }
#endif
