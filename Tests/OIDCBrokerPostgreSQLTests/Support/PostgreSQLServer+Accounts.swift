// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import AccountsTestSupport
    import NIOCore
    import NIOPosix
    import StoreTesting
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    extension PostgreSQLServer {
        /// A store of accounts on it, which the caller shuts down.
        func accounts(
            user: String = "broker", _ more: String = "", connections: Int = 2, project: String = "test",
            isServing: Bool = true
        ) async throws -> PostgreSQLAccountStore {
            let configuration = PostgreSQLConfiguration(
                connection: try connection(user: user, more), connections: connections)
            return try await NIOThreadPool.singleton.runIfActive {
                try PostgreSQLAccountStore.open(
                    configuration, project: project, isServing: isServing, logger: Self.silent)
            }
        }

        /// Runs a server and a store of accounts on it while the body runs.
        static func withAccounts(
            connections: Int = 4, _ body: (PostgreSQLServer, AccountCaller) async throws -> Void
        ) async throws {
            try await run { server async throws in
                let store = try await server.accounts(connections: connections)
                let caller = AccountCaller(store)
                await caller.makeConnections()
                try await attempt {
                    try await body(server, caller)
                } finally: {
                    await store.shutdown()
                }
            }
        }

        /// Removes all records of accounts. It blocks.
        func empty() throws {
            try askBlocking("TRUNCATE oidc_broker_account, oidc_broker_consumed, oidc_broker_event CASCADE")
        }

        /// Runs statements over a connection of its own, on the thread of the caller, as within the body of a transaction.
        @discardableResult
        func askBlocking(_ sql: String) throws -> PostgreSQLRows {
            let deadline = NIODeadline.now() + .seconds(10)
            return try PostgreSQLConnector(try connection()).connect(before: deadline).ask(sql, before: deadline)
        }
    }

    /// Asks a store of accounts on one event loop.
    struct AccountCaller: AccountStoreCaller {
        let store: PostgreSQLAccountStore
        let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()

        init(_ store: PostgreSQLAccountStore) {
            self.store = store
        }

        /// Asks until the store has its connections. The first ones of a new server take longer than the time that they
        /// have where the machine is busy.
        func makeConnections() async {
            for _ in 0..<8 {
                await withTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<32 { tasks.addTask { _ = try? await read { try $0.accounts(after: nil, limit: 1) } } }
                }
            }
        }

        /// Makes an account with an identity, whose last sign-in was at 0.
        func add(_ name: String) async throws -> Account {
            var account = Account(id: AccountID(name) ?? AccountID(), createdAt: 0)
            account.lastSignInAt = 0
            let added = account
            try await write { transaction in
                try transaction.insert(added)
                try transaction.insert(
                    AccountIdentity(
                        VerifiedIdentity(IdentityKey(issuer: "https://p", subject: name), providerID: "p"),
                        of: added.id, at: 0))
            }
            return added
        }
    }
#endif
