// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Logging
    import SingleUse
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// A real server that comes and goes.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct LostServerTests {
        @Test func `operations fail while it is away, and what was acknowledged is there afterwards`() async throws {
            try await PostgreSQLServer.withStore { server, store async throws in
                #expect(try await store.claim(.test(1)) == .won)
                #expect(try await store.put(.test(1), [1]) == .stored)
                await server.stop()
                var error: PostgreSQLStoreError?
                // The end of the other connection may be noticed only by an operation.
                for _ in 0..<100 where error != .unreachable {
                    do {
                        _ = try await store.claim(.test(2))
                        Issue.record("there is no server")
                    } catch let failure as PostgreSQLStoreError {
                        #expect(failure == .unreachable || failure == .closed)
                        error = failure
                    }
                }
                #expect(error == .unreachable)
                try await server.start()
                // A pause follows a connection that could not be made. The caller asks again.
                var claim: SingleUseClaim?
                while claim == nil {
                    do {
                        claim = try await store.claim(.test(1))
                    } catch let failure as PostgreSQLStoreError {
                        #expect(failure == .unreachable)
                    }
                }
                #expect(claim == .lost)
                #expect(try await store.read(.test(1)) == [1])
                #expect(try await store.claim(.test(2)) == .won)
            }
        }

        @Test func `a connection that the server ended is opened again without a failure`() async throws {
            try await PostgreSQLServer.run { server async throws in
                let store = try server.store(connections: 1)
                let caller = StoreCaller(store)
                for number: UInt8 in 1...5 {
                    #expect(try await caller.claim(.test(number)) == .won)
                    try await server.ask(
                        """
                        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                        WHERE application_name = 'oidc-broker' AND pid <> pg_backend_pid()
                        """)
                }
                await store.shutdown()
            }
        }

        @Test func `what takes too long fails, and the next one does not`() async throws {
            try await PostgreSQLServer.withStore { server, store async throws in
                #expect(try await store.claim(.test(1)) == .won)
                // A lock of the whole table, for longer than a statement may take.
                async let lock = server.ask(
                    "BEGIN; LOCK TABLE oidc_broker_claim IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(2); COMMIT")
                var error: PostgreSQLStoreError?
                while error == nil {
                    do {
                        _ = try await store.claim(.test(2))
                    } catch let failure as PostgreSQLStoreError {
                        error = failure
                    }
                }
                #expect(error == .timeout)
                _ = try await lock
                #expect(try await store.claim(.test(3)) == .won)
            }
        }

        @Test func `there is no listener`() async throws {
            for text in ["host=/tmp/no-postgresql", "host=127.0.0.1 port=1", "host=nobody.invalid"] {
                let connection = try #require(PostgreSQLConnectionString(text))
                let store = PostgreSQLSingleUseStore(
                    PostgreSQLConfiguration(connection: connection), logger: .recording { _ in })
                await #expect(throws: PostgreSQLStoreError.unreachable) { try await StoreCaller(store).read(.test(1)) }
                await store.shutdown()
            }
        }

        @Test func `after the shutdown every operation fails`() async throws {
            try await PostgreSQLServer.run { server async throws in
                let store = try server.store()
                let caller = StoreCaller(store)
                #expect(try await caller.claim(.test(1)) == .won)
                await store.shutdown()
                await #expect(throws: PostgreSQLStoreError.closed) { try await caller.claim(.test(2)) }
                await store.shutdown()
            }
        }
    }
#endif
