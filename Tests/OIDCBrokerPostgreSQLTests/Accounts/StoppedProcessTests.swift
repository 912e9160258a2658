// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import AccountsTestSupport
    import NIOCore
    import NIOPosix
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// What becomes of the locks of a process that asks nothing more, and whose connection does not end.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct StoppedProcessTests {
        /// A connection of a store of accounts.
        private static func connection(_ server: PostgreSQLServer) throws -> PostgreSQLConnection {
            try PostgreSQLConnector(try server.connection()).open(
                .accounts(of: "test", isServing: false), within: .seconds(10), before: NIODeadline.now() + .seconds(10))
        }

        /// A try that takes the lock of an account.
        private static func transaction(
            _ connection: PostgreSQLConnection, of account: AccountID, within time: TimeAmount
        ) -> PostgreSQLAccountTransaction {
            PostgreSQLAccountTransaction(
                connection, kind: .write(.sameRecords), records: LockHolder.locks(of: account),
                end: NIODeadline.now() + time)
        }

        @Test func `one that is stopped while it waits for a lock does not keep it`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada").id
                try await NIOThreadPool.singleton.runIfActive {
                    let holder = try LockHolder(server, of: ada)
                    let connection = try Self.connection(server)
                    let transaction = Self.transaction(connection, of: ada, within: .milliseconds(100))
                    #expect(throws: AccountStoreError.self) { try transaction.account(ada) }
                    #expect(try holder.waits(for: 1, where: "NOT granted"))
                    try holder.release()
                    // It has the lock now, and goes on to a transaction, which the server ends.
                    #expect(try holder.waits(for: 0))
                    withExtendedLifetime(connection) {}
                }
            }
        }

        @Test func `one that is stopped while it commits does not keep a lock`() async throws {
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
                try await NIOThreadPool.singleton.runIfActive {
                    let holder = try LockHolder(server, of: ada)
                    try holder.release()
                    let connection = try Self.connection(server)
                    // It is over after the statements, and before the commit has ended.
                    let transaction = Self.transaction(connection, of: ada, within: .seconds(2))
                    var account = try #require(try transaction.account(ada))
                    account.lastSignInAt = 7
                    try transaction.update(account)
                    #expect(throws: TransactionFailure.self) { try transaction.commit() }
                    #expect(!connection.isUsable)
                    #expect(try holder.waits(for: 0))
                    withExtendedLifetime(connection) {}
                }
                #expect(try await caller.read { try $0.account(ada) }?.lastSignInAt == 7)
            }
        }

        @Test func `a group is run whatever became of the one before, and a statement is not`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                let ada = try await caller.add("ada")
                try await NIOThreadPool.singleton.runIfActive {
                    let connection = try Self.connection(server)
                    let begin = AccountQuestion(.beginWrite)
                    let again = AccountQuestion(.insertAccount, ada.row)
                    let read = AccountQuestion(.account, [.text(ada.id.text)])
                    let answers = connection.runEach(
                        [[begin, again, read], [AccountQuestion(.rollback)], [read]],
                        before: NIODeadline.now() + .seconds(10))
                    #expect(answers.count == 3)
                    #expect(throws: PostgreSQLStoreError.self) { try answers.first?.get() }
                    #expect(try answers.last?.get().rows.count == 1)
                    #expect(connection.isUsable)
                }
            }
        }
    }
#endif
