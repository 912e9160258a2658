// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import TestingSupport

    /// The executable as a process of its own, which runs to its end.
    enum CommandProcess {
        /// What it said and how it ended.
        struct End: Sendable {
            let status: Int32
            let output: String
            let errors: String
        }

        /// The executable, which is built beside the tests.
        static var executable: URL {
            let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            return tests.deletingLastPathComponent().appending(path: "oidc-broker")
        }

        /// Runs the executable with these arguments.
        static func run(_ arguments: [String], input: String = "") async throws -> End {
            try await run(executable, arguments, input: input)
        }

        /// Runs any program. Input and output are files: a full pipe would stop it.
        static func run(_ program: URL, _ arguments: [String], input: String = "") async throws -> End {
            let folder = FileManager.default.temporaryDirectory.appending(path: "command-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let files = ["input", "output", "errors"].map { folder.appending(path: $0) }
            try Data(input.utf8).write(to: files[0])
            for file in files.dropFirst() { try Data().write(to: file) }
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.standardInput = try FileHandle(forReadingFrom: files[0])
            process.standardOutput = try FileHandle(forWritingTo: files[1])
            process.standardError = try FileHandle(forWritingTo: files[2])
            let status = try await process.runToEnd()
            return End(
                status: status, output: try String(contentsOf: files[1], encoding: .utf8),
                errors: try String(contentsOf: files[2], encoding: .utf8))
        }

        /// The path of a program that may be installed; `nil` if it is not.
        static func installed(_ name: String) -> URL? {
            let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            return directories.map { URL(filePath: "\($0)/\(name)") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }
    }
#endif
