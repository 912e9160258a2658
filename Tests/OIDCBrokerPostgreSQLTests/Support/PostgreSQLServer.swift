// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import Logging
    import NIOCore
    import NIOPosix
    import Synchronization
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// A real PostgreSQL server on a Unix domain socket in a folder of its own. It refuses to be run by root, so it
    /// runs as the user `postgres` then.
    final class PostgreSQLServer: Sendable {
        /// It was not made, or did not begin to listen.
        struct NotStarted: Error {}

        private struct Running: Sendable {
            let process: Process
            let ended: AsyncStream<Void>
        }

        private static let programs = "/usr/lib/postgresql/15/bin"

        private let folder: String
        private let running = Mutex<Running?>(nil)

        private init() {
            // The path of a socket must be short.
            folder = "/tmp/pg-\(UUID().uuidString.prefix(13))"
        }

        /// Runs a server while the body runs.
        /// - Parameter isMigrated: Whether it has the tables.
        static func run(isMigrated: Bool = true, _ body: (PostgreSQLServer) async throws -> Void) async throws {
            let server = PostgreSQLServer()
            do {
                try await server.make()
                try await server.start()
                if isMigrated { try await PostgreSQLSchema.migrate(try server.connection()) }
                try await body(server)
            } catch {
                await server.close()
                throw error
            }
            await server.close()
        }

        /// Runs a server and a store on it while the body runs.
        static func withStore(_ body: (PostgreSQLServer, StoreCaller) async throws -> Void) async throws {
            try await run { server async throws in
                let store = try server.store()
                await server.makeConnections(of: store)
                do {
                    try await body(server, StoreCaller(store))
                } catch {
                    await store.shutdown()
                    throw error
                }
                await store.shutdown()
            }
        }

        /// How it is reached.
        /// - Parameter more: What else the connection string says.
        func connection(user: String = "broker", _ more: String = "") throws -> PostgreSQLConnectionString {
            let text = "host=\(folder) dbname=postgres user=\(user) \(more)"
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

        /// Starts it, again if it was stopped, and waits until it answers.
        func start() async throws {
            let process = Self.process(
                "postgres",
                [
                    "-D", "\(folder)/data", "-c", "listen_addresses=", "-c", "unix_socket_directories=\(folder)",
                    "-c", "fsync=off", "-c", "shared_buffers=16MB", "-c", "max_connections=40",
                ])
            let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
            process.terminationHandler = { _ in continuation.finish() }
            try process.run()
            let started = Running(process: process, ended: ended)
            running.withLock { $0 = started }
            for _ in 0..<500 {
                if (try? await ask("SELECT 1")) != nil { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            throw NotStarted()
        }

        /// Ends it at once, as by a crash, and waits until it has ended.
        func stop() async {
            let last = running.withLock { running in
                let last = running
                running = nil
                return last
            }
            guard let last else { return }
            // Its own processes end with it, other than by SIGKILL.
            kill(last.process.processIdentifier, SIGQUIT)
            for await _ in last.ended {}
        }

        /// A logger without output.
        static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

        private func make() async throws {
            let process = Self.process(
                "initdb",
                ["-D", "\(folder)/data", "-U", "broker", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8"])
            guard try await process.runToEnd() == 0 else { throw NotStarted() }
        }

        private func close() async {
            await stop()
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// A program of PostgreSQL that was not started yet.
        private static func process(_ program: String, _ arguments: [String]) -> Process {
            let process = Process()
            let isRoot = geteuid() == 0
            let user = ["--reuid=postgres", "--regid=postgres", "--init-groups"]
            process.executableURL = URL(filePath: isRoot ? "/usr/bin/setpriv" : "\(programs)/\(program)")
            process.arguments = isRoot ? user + ["\(programs)/\(program)"] + arguments : arguments
            process.currentDirectoryURL = URL(filePath: "/tmp")
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            return process
        }
    }
#endif
