// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore
    import NIOPosix
    import SingleUse
    import Synchronization
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// A real server beside hosts that are of no use.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct SeveralHostsTests {
        /// Counts the connections that a host took.
        private final class Connections: Sendable {
            private let number = Atomic(0)

            var count: Int { number.load(ordering: .relaxed) }

            func add() { number.add(1, ordering: .relaxed) }
        }

        /// Runs a host that takes connections and never answers, as one that was cut off.
        private static func withSilentHost(_ body: (Int, Connections) async throws -> Void) async throws {
            let connections = Connections()
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    connections.add()
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(listener.localAddress?.port)
            try await attempt {
                try await body(port, connections)
            } finally: {
                try await listener.close()
            }
        }

        private static func string(_ server: PostgreSQLServer, after port: Int) throws -> PostgreSQLConnectionString {
            let text = "host=127.0.0.1,\(server.folder) port=\(port),5432 dbname=postgres user=broker"
            return try #require(PostgreSQLConnectionString(text))
        }

        @Test func `a first host that never answers does not keep the second one from being reached`() async throws {
            try await PostgreSQLServer.run { server async throws in
                try await Self.withSilentHost { port, connections async throws in
                    let store = PostgreSQLSingleUseStore(
                        PostgreSQLConfiguration(connection: try Self.string(server, after: port)),
                        logger: PostgreSQLServer.silent)
                    #expect(try await StoreCaller(store).claim(.test(1)) == .won)
                    #expect(try await StoreCaller(store).claim(.test(1)) == .lost)
                    #expect(connections.count > 0)
                    await store.shutdown()
                }
            }
        }

        @Test func `the host that worked is asked first the next time`() async throws {
            try await PostgreSQLServer.run { server async throws in
                try await Self.withSilentHost { port, connections async throws in
                    let connector = PostgreSQLConnector(try Self.string(server, after: port))
                    for _ in 0..<3 {
                        let version = try await NIOThreadPool.singleton.runIfActive {
                            try connector.connect(within: .seconds(1), before: NIODeadline.now() + .seconds(20))
                                .serverVersion
                        }
                        #expect(version >= 140_000)
                    }
                    #expect(connections.count == 1)
                }
            }
        }

        @Test func `without a time of its own a host has a part of what is left`() async throws {
            try await PostgreSQLServer.run { server async throws in
                try await Self.withSilentHost { port, _ async throws in
                    // As `store migrate` and `check-config --live` connect.
                    try await PostgreSQLSchema.migrate(try Self.string(server, after: port))
                }
            }
        }

        @Test func `a server that does not allow writes is skipped, and is named if it is the only one`()
            async throws
        {
            try await PostgreSQLServer.run { server async throws in
                try await PostgreSQLServer.run { standby async throws in
                    try await standby.ask("ALTER SYSTEM SET default_transaction_read_only = on")
                    await standby.stop()
                    try await standby.start()
                    let both = try #require(
                        PostgreSQLConnectionString(
                            "host=\(standby.folder),\(server.folder) dbname=postgres user=broker"))
                    let store = PostgreSQLSingleUseStore(
                        PostgreSQLConfiguration(connection: both), logger: PostgreSQLServer.silent)
                    #expect(try await StoreCaller(store).claim(.test(1)) == .won)
                    await server.stop()
                    // The primary may be the one that is away.
                    await #expect(throws: PostgreSQLStoreError.unreachable) {
                        try await NIOThreadPool.singleton.runIfActive {
                            _ = try PostgreSQLConnector(both).connect(before: NIODeadline.now() + .seconds(20))
                        }
                    }
                    await store.shutdown()
                    let alone = try standby.store()
                    await #expect(throws: PostgreSQLStoreError.notPrimary) {
                        try await StoreCaller(alone).claim(.test(2))
                    }
                    await alone.shutdown()
                }
            }
        }
    }
#endif
