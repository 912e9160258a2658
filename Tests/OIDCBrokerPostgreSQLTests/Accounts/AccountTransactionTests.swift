// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import AccountsTestSupport
    import NIOCore
    import NIOPosix
    import StoreTesting
    import Synchronization
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// What becomes of a transaction that fails.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct AccountTransactionTests {
        /// Counts the tries of a transaction.
        private final class Tries: Sendable {
            private let number = Atomic(0)

            var count: Int { number.load(ordering: .relaxed) }

            func next() -> Int { number.add(1, ordering: .relaxed).newValue }
        }

        private static let disturbance =
            "UPDATE oidc_broker_account SET last_sign_in_at = last_sign_in_at + 1 WHERE uid = 'ada'"

        /// Adds 1 to the time of the last sign-in, and lets another connection do so in between, in the first tries.
        private static func increment(
            _ ada: AccountID, _ caller: AccountCaller, _ server: PostgreSQLServer, _ tries: Tries, disturbed: Int
        ) async throws {
            try await caller.write { transaction in
                guard var account = try transaction.account(ada) else { return }
                if tries.next() <= disturbed { try server.askBlocking(Self.disturbance) }
                account.lastSignInAt += 1
                try transaction.update(account)
            }
        }

        @Test(arguments: [1, 2, 4])
        func `one that another was in the way of is run again, and nothing is lost`(disturbed: Int) async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada").id
                let tries = Tries()
                try await Self.increment(ada, caller, server, tries, disturbed: disturbed)
                #expect(tries.count == disturbed + 1)
                #expect(try await caller.read { try $0.account(ada) }?.lastSignInAt == Int64(disturbed + 1))
            }
        }

        @Test func `five failures are the end, and the next one is not affected`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada").id
                let tries = Tries()
                let error = await #expect(throws: AccountStoreError.self) {
                    try await Self.increment(ada, caller, server, tries, disturbed: .max)
                }
                #expect(error?.code == .unavailable)
                #expect(error?.description.contains("40001") == true)
                #expect(tries.count == 5)
                #expect(try await caller.read { try $0.account(ada) }?.lastSignInAt == 5)
                try await Self.increment(ada, caller, server, Tries(), disturbed: 0)
                #expect(try await caller.read { try $0.account(ada) }?.lastSignInAt == 6)
            }
        }

        @Test func `a key that another wrote meanwhile is a conflict only if it still is one without other writers`()
            async throws
        {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let tries = Tries()
                let hash = [UInt8](repeating: 7, count: 32)
                // It does not look, so the server finds the key only at the insertion.
                let isNew = try await caller.write { transaction in
                    _ = try transaction.accounts(after: nil, limit: 1)
                    if tries.next() == 1 {
                        try server.askBlocking(
                            "INSERT INTO oidc_broker_consumed VALUES (decode(repeat('07', 32), 'hex'), 9)")
                    }
                    return try transaction.consume(hash, expiry: 9)
                }
                #expect(!isNew && tries.count == 2)
                let ada = try await caller.add("ada")
                let conflicts = Tries()
                let error = await #expect(throws: AccountStoreError.self) {
                    try await caller.write { transaction in
                        _ = conflicts.next()
                        try transaction.insert(ada)
                    }
                }
                #expect(error?.code == .conflict)
                // The last one ran without other writers.
                #expect(conflicts.count == 4)
            }
        }

        @Test func `a third conflict on one account keeps no writes of others waiting, and leaves no lock`()
            async throws
        {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada").id
                let grace = try await caller.add("grace").id
                let tries = Tries()
                let held = try await caller.write { transaction -> [String?]? in
                    guard var account = try transaction.account(ada) else { return nil }
                    let number = tries.next()
                    if number <= 2 { try server.askBlocking(Self.disturbance) }
                    let held = try server.askBlocking(Self.locks).onlyTexts
                    if number == 3 {
                        // The lock of the table would keep it waiting until its statement fails.
                        try caller.store.transact(.write, on: caller.eventLoop) { other in
                            guard var account = try other.account(grace) else { return }
                            account.lastSignInAt += 1
                            try other.update(account)
                        }.wait()
                    }
                    account.lastSignInAt += 1
                    try transaction.update(account)
                    return held
                }
                #expect(held == ["1"])
                #expect(tries.count == 3)
                #expect(try await caller.read { try $0.account(grace) }?.lastSignInAt == 1)
                #expect(try await server.ask(Self.locks).onlyTexts == ["0"])
            }
        }

        private static let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"

        @Test func `a record that another session has locked for long does not make a transaction fail`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada").id
                let tries = Tries()
                try await NIOThreadPool.singleton.runIfActive {
                    let holder = try LockHolder(server, of: ada)
                    try caller.store.transact(.write, on: caller.eventLoop) { transaction in
                        guard var account = try transaction.account(ada) else { return }
                        if tries.next() == 1 { try server.askBlocking(Self.disturbance) }
                        account.lastSignInAt += 1
                        try transaction.update(account)
                    }.wait()
                    // It was held all the time.
                    #expect(try holder.locks() == "1")
                }
                #expect(tries.count == 2)
                #expect(try await caller.read { try $0.account(ada) }?.lastSignInAt == 2)
            }
        }

        @Test func `a connection that ends before the commit is made anew`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada").id
                let tries = Tries()
                try await caller.write { transaction in
                    guard var account = try transaction.account(ada) else { return }
                    if tries.next() == 1 {
                        try server.askBlocking(
                            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE state = 'idle in transaction'"
                        )
                    }
                    account.lastSignInAt = 7
                    try transaction.update(account)
                }
                #expect(tries.count == 2)
                #expect(try await caller.read { try $0.account(ada) }?.lastSignInAt == 7)
            }
        }

        @Test func `a commit without an answer is a failure, and is not run again`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada").id
                // The commit takes its time.
                try await server.ask(
                    """
                    CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql
                    AS 'BEGIN PERFORM pg_sleep(2.5); RETURN NULL; END';
                    CREATE CONSTRAINT TRIGGER pause AFTER UPDATE ON oidc_broker_account
                    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pause();
                    """)
                let tries = Tries()
                let written = Task {
                    try await Self.increment(ada, caller, server, tries, disturbed: 0)
                }
                let commit = "FROM pg_stat_activity WHERE query = 'COMMIT' AND wait_event = 'PgSleep'"
                while try await server.ask("SELECT pg_terminate_backend(pid, 5000) \(commit)").rows.isEmpty {}
                let error = await #expect(throws: AccountStoreError.self) { try await written.value }
                #expect(error?.code == .unavailable)
                #expect(tries.count == 1)
                try await server.ask("DROP TRIGGER pause ON oidc_broker_account")
                try await Self.increment(ada, caller, server, tries, disturbed: 0)
                #expect(tries.count == 2)
            }
        }

        @Test func `a statement that takes too long fails, and the next one does not`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada").id
                async let lock = server.ask("BEGIN; \(Self.disturbance); SELECT pg_sleep(6); ROLLBACK")
                while try await server.ask("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'").rows.isEmpty {
                }
                let tries = Tries()
                let error = await #expect(throws: AccountStoreError.self) {
                    try await Self.increment(ada, caller, server, tries, disturbed: 0)
                }
                #expect(error?.code == .unavailable)
                #expect(error?.description.contains("57014") == true)
                #expect(tries.count == 1)
                _ = try await lock
                try await Self.increment(ada, caller, server, tries, disturbed: 0)
                #expect(try await caller.read { try $0.account(ada) }?.lastSignInAt == 1)
            }
        }

        @Test func `lists run one at a time, take no part in conflicts, and write nothing`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada").id
                let store = caller.store
                let gate = Gate()
                let first = store.transact(.list, on: caller.eventLoop) { _ in gate.wait() }
                gate.waitUntilEntered()
                let second = store.transact(.list, on: caller.eventLoop) { transaction in
                    _ = try transaction.accounts(after: nil, limit: 9)
                    return try server.askBlocking(
                        "SELECT count(*) FROM pg_locks WHERE mode = 'SIReadLock'"
                    ).onlyTexts
                }
                // The second one waits, although three threads do nothing, and others do not.
                #expect(try await caller.read { try $0.account(ada) } != nil)
                #expect(store.waiting.reads == 1)
                gate.open()
                try await first.get()
                #expect(try await second.get() == ["0"])
                let error = await #expect(throws: AccountStoreError.self) {
                    try await store.transact(.list, on: caller.eventLoop) { try $0.remove(ada) }.get()
                }
                #expect(error == .readsOnly)
                // The turn goes on after a failure.
                #expect(
                    try await store.transact(.list, on: caller.eventLoop) {
                        try $0.accounts(after: nil, limit: 9).count
                    }
                    .get() == 1)
            }
        }

        @Test func `after the shutdown every transaction fails`() async throws {
            try await PostgreSQLServer.withAccounts { _, caller async throws in
                await caller.store.shutdown()
                let error = await #expect(throws: AccountStoreError.self) { _ = try await caller.contents() }
                #expect(error?.code == .unavailable)
            }
        }
    }
#endif
