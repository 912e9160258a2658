// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL && (os(macOS) || os(Linux))
    package import Foundation
    import Synchronization

    /// A real PostgreSQL server on a Unix domain socket in a folder of its own (Debian's package `postgresql`). It refuses
    /// to be run by root, so it runs as the user `postgres` then.
    package final class PostgreSQLServer: Sendable {
        /// It was not made, or did not begin to listen.
        package struct NotStarted: Error {
            package init() {}
        }

        private static let programs = "/usr/lib/postgresql/15/bin"

        /// Where its socket is.
        package let folder: String

        /// The connection string of it without a user.
        package var address: String { "host=\(folder) dbname=postgres" }

        private let running = Mutex<RunningProcess?>(nil)

        private init() {
            // The path of a socket must be short.
            folder = "/tmp/pg-\(UUID().uuidString.prefix(13))"
        }

        /// Runs a server without tables while the body runs.
        package static func runEmpty(_ body: (PostgreSQLServer) async throws -> Void) async throws {
            let server = PostgreSQLServer()
            try await attempt {
                try await server.make()
                try await server.start()
                try await body(server)
            } finally: {
                await server.close()
            }
        }

        /// Starts it, again if it was stopped, and waits until it answers.
        package func start() async throws {
            let started = try RunningProcess(
                starting: Self.server(
                    "postgres",
                    [
                        "-D", "\(folder)/data", "-c", "listen_addresses=", "-c", "unix_socket_directories=\(folder)",
                        "-c", "fsync=off", "-c", "shared_buffers=16MB", "-c", "max_connections=40",
                    ]))
            running.withLock { $0 = started }
            for _ in 0..<3000 {
                if try await client("pg_isready", ["-h", folder, "-q"]).runToEnd() == 0 { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            throw NotStarted()
        }

        /// Ends it at once, as by a crash, and waits until it has ended.
        package func stop() async {
            let last = running.withLock { running in
                let last = running
                running = nil
                return last
            }
            // Its own processes end with it, other than by SIGKILL.
            await last?.end(by: SIGQUIT)
        }

        /// A program of PostgreSQL that connects to it and was not started yet.
        package func client(_ program: String, _ arguments: [String]) -> Process {
            Self.quiet("\(Self.programs)/\(program)", arguments)
        }

        private func make() async throws {
            let process = Self.server(
                "initdb",
                ["-D", "\(folder)/data", "-U", "broker", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8"])
            guard try await process.runToEnd() == 0 else { throw NotStarted() }
        }

        private func close() async {
            await stop()
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// A program of the server that was not started yet.
        private static func server(_ program: String, _ arguments: [String]) -> Process {
            guard geteuid() == 0 else { return quiet("\(programs)/\(program)", arguments) }
            let user = ["--reuid=postgres", "--regid=postgres", "--init-groups"]
            return quiet("/usr/bin/setpriv", user + ["\(programs)/\(program)"] + arguments)
        }

        private static func quiet(_ path: String, _ arguments: [String]) -> Process {
            let process = Process.quiet(path, arguments)
            // The user that it runs as may not enter the folder of the tests.
            process.currentDirectoryURL = URL(filePath: "/tmp")
            return process
        }
    }
#endif
