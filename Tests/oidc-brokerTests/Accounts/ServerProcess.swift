// SPDX-License-Identifier: Apache-2.0

#if SQLite && os(Linux)
    import Foundation

    /// `oidc-broker serve` as a process of its own, on a port that the system chose.
    final class ServerProcess: Sendable {
        /// It ended before it listened; what it said instead.
        struct Ended: Error {
            let output: String
        }

        /// The port in use.
        let port: Int
        private let process: Process

        private init(port: Int, process: Process) {
            self.port = port
            self.process = process
        }

        /// The executable, which is built beside the tests.
        private static var executable: String {
            let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            return tests.deletingLastPathComponent().appending(path: "oidc-broker").path
        }

        /// Starts a server, and returns when it listens.
        ///
        /// A write beyond the limit on the size of a file is an error for it, as on a full disk, and no signal.
        static func start(config: String) async throws -> ServerProcess {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "trap '' XFSZ; exec \"$0\" serve --config \"$1\"", executable, config]
            process.standardInput = FileHandle.nullDevice
            let chunks = process.output()
            process.standardError = process.standardOutput
            try process.run()
            var said = Data()
            for await chunk in chunks {
                said += chunk
                let text = String(decoding: said, as: UTF8.self)
                if let match = text.firstMatch(of: /auth\.address=\S*:(\d+)\s/), let port = Int(match.1) {
                    return ServerProcess(port: port, process: process)
                }
            }
            throw Ended(output: String(decoding: said, as: UTF8.self))
        }

        /// Ends the process at once, whatever it does.
        func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

        /// Limits the size that a file may have, in bytes; `nil` for no limit.
        func limitFiles(to size: Int?) throws {
            let limit = Process()
            limit.executableURL = URL(filePath: "/usr/bin/env")
            limit.arguments = [
                "prlimit", "--pid", "\(process.processIdentifier)",
                "--fsize=\(size.map { "\($0)" } ?? "unlimited"):unlimited",
            ]
            limit.standardOutput = FileHandle.nullDevice
            try limit.run()
            limit.waitUntilExit()
            guard limit.terminationStatus == 0 else { throw Ended(output: "prlimit failed") }
        }
    }
#endif
