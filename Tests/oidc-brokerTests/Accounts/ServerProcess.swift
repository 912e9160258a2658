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
        /// What it writes from now on.
        private let chunks: AsyncStream<Data>

        private init(port: Int, process: Process, chunks: AsyncStream<Data>) {
            self.port = port
            self.process = process
            self.chunks = chunks
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
                if let match = text.firstMatch(of: /"message":"listening"[^\n]*"auth\.address":"[^"]*:(\d+)"/),
                    let port = Int(match.1)
                {
                    return ServerProcess(port: port, process: process, chunks: chunks)
                }
            }
            throw Ended(output: String(decoding: said, as: UTF8.self))
        }

        /// Sends it a signal.
        func send(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

        /// Waits until it writes a text. What it wrote before is forgotten.
        func wait(for text: String) async throws {
            var said = ""
            for await chunk in chunks {
                said += String(decoding: chunk, as: UTF8.self)
                if said.contains(text) { return }
            }
            throw Ended(output: said)
        }

        /// Waits until it has ended, and returns its exit status.
        func end() async -> Int32 {
            for await _ in chunks {}
            process.waitUntilExit()
            return process.terminationStatus
        }

        /// Ends the process at once, whatever it does.
        func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

        /// Limits the size that a file may have, in bytes; `nil` for no limit.
        func limitFiles(to size: Int?) throws {
            try setLimit("--fsize=\(size.map { "\($0)" } ?? "unlimited"):unlimited")
        }

        /// Limits the number of files that it may have open, those that are open already among them.
        func limitOpenFiles(to count: Int) throws { try setLimit("--nofile=\(count):") }

        /// The number of files that it has open.
        func openFiles() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count
        }

        /// The processor time that it has used so far, in seconds.
        func processorTime() throws -> Double {
            let stat = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
            // The fields behind the name of the program, which may hold anything: the 12th and the 13th of them.
            let fields = stat.split(separator: ")").last.map { $0.split(separator: " ") } ?? []
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
                throw Ended(output: stat)
            }
            return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }

        private func setLimit(_ argument: String) throws {
            let limit = Process()
            limit.executableURL = URL(filePath: "/usr/bin/env")
            limit.arguments = ["prlimit", "--pid", "\(process.processIdentifier)", argument]
            limit.standardOutput = FileHandle.nullDevice
            try limit.run()
            limit.waitUntilExit()
            guard limit.terminationStatus == 0 else { throw Ended(output: "prlimit failed") }
        }
    }
#endif
