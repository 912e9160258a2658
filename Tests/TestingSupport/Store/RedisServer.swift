// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
    package import Foundation
    import NIOCore
    import NIOPosix
    import Synchronization

    /// A real `redis-server` on a Unix domain socket in a folder of its own, which stores nothing on disk unless it is told
    /// to.
    package final class RedisServer: Sendable {
        /// It did not begin to listen.
        package struct NotStarted: Error {
            package init() {}
        }

        /// Where its files are.
        package let folder: URL
        private let arguments: [String]
        private let running = Mutex<RunningProcess?>(nil)

        private init(_ arguments: [String]) throws {
            self.arguments = arguments
            // The path of a socket must be short.
            folder = URL(filePath: "/tmp/redis-\(UUID().uuidString.prefix(13))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        /// Runs a server while the body runs.
        /// - Parameter arguments: What it is told besides.
        package static func run(
            _ arguments: [String] = [], _ body: (RedisServer) async throws -> Void
        ) async throws {
            let server = try RedisServer(arguments)
            try await attempt {
                try await server.start()
                try await body(server)
            } finally: {
                await server.close()
            }
        }

        /// The path of its socket.
        package var socketPath: String { folder.path + "/s" }

        /// Starts it, again if it was stopped, and waits until it listens.
        package func start() async throws {
            let started = try RunningProcess(
                starting: .quiet(
                    "/usr/bin/redis-server",
                    [
                        "--port", "0", "--unixsocket", socketPath, "--dir", folder.path, "--save", "", "--appendonly",
                        "no", "--maxmemory-policy", "noeviction",
                    ] + arguments))
            running.withLock { $0 = started }
            try await waitUntilItListens()
        }

        /// Ends it, and waits until it has ended.
        package func stop() async {
            let last = running.withLock { running in
                let last = running
                running = nil
                return last
            }
            await last?.end()
        }

        private func close() async {
            await stop()
            try? FileManager.default.removeItem(at: folder)
        }

        private func waitUntilItListens() async throws {
            for _ in 0..<30_000 {
                let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                if let channel = try? await bootstrap.connect(unixDomainSocketPath: socketPath).get() {
                    try await channel.close()
                    return
                }
                try await Task.sleep(for: .milliseconds(2))
            }
            throw NotStarted()
        }
    }
#endif
