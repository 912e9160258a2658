// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Logging
    import NIOCore
    import NIOPosix
    import SingleUse
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    extension PostgreSQLServer {
        /// Runs a server while the body runs.
        /// - Parameter isMigrated: Whether it has the tables.
        static func run(isMigrated: Bool = true, _ body: (PostgreSQLServer) async throws -> Void) async throws {
            try await runEmpty { server async throws in
                if isMigrated { try await PostgreSQLSchema.migrate(try server.connection()) }
                try await body(server)
            }
        }

        /// Runs a server and a store on it while the body runs.
        static func withStore(_ body: (PostgreSQLServer, StoreCaller) async throws -> Void) async throws {
            try await run { server async throws in
                let store = try server.store()
                await server.makeConnections(of: store)
                try await attempt {
                    try await body(server, StoreCaller(store))
                } finally: {
                    await store.shutdown()
                }
            }
        }

        /// How it is reached.
        /// - Parameter more: What else the connection string says.
        func connection(user: String = "broker", _ more: String = "") throws -> PostgreSQLConnectionString {
            let text = "\(address) user=\(user) \(more)"
            guard let connection = PostgreSQLConnectionString(text) else { throw NotStarted() }
            return connection
        }

        /// A store on it, which the caller shuts down.
        func store(
            user: String = "broker", _ more: String = "", connections: Int = 2, logger: Logger = PostgreSQLServer.silent
        ) throws -> PostgreSQLSingleUseStore {
            PostgreSQLSingleUseStore(
                PostgreSQLConfiguration(connection: try connection(user: user, more), connections: connections),
                logger: logger)
        }

        /// Asks until a store has its connections. The first ones of a new server take longer than the time that they have
        /// where the machine is busy.
        func makeConnections(of store: PostgreSQLSingleUseStore) async {
            let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
            for _ in 0..<8 {
                await withTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<32 {
                        tasks.addTask { _ = try? await store.isClaimed(.test(255), on: eventLoop).get() }
                    }
                }
            }
        }

        /// Runs statements over a connection of its own.
        @discardableResult
        func ask(_ sql: String) async throws -> PostgreSQLRows {
            let connector = PostgreSQLConnector(try connection())
            return try await NIOThreadPool.singleton.runIfActive {
                let deadline = NIODeadline.now() + .seconds(10)
                return try connector.connect(before: deadline).ask(sql, before: deadline)
            }
        }

        /// A logger without output.
        static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
    }
#endif
