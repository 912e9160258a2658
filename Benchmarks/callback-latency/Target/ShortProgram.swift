// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that ends soon, such as `taskset`.
enum ShortProgram {
    /// Runs it and waits.
    ///
    /// - Parameters:
    ///   - command: The program, looked for as a shell does, and its arguments.
    ///   - output: Where its standard output goes.
    /// - Returns: Whether it ended within 5 seconds, with status 0.
    static func run(_ command: [String], output: FileHandle = .nullDevice) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Not waitUntilExit: it spins where there is no run loop.
        let end = MonotonicClock.now() + 5_000_000_000
        while process.isRunning, MonotonicClock.now() < end { usleep(2000) }
        guard !process.isRunning else {
            process.terminate()
            return false
        }
        return process.terminationStatus == 0
    }

    /// What it writes, at most six lines of it with single spaces; `nil` if it fails or writes nothing.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - output: A file for what it writes.
    static func lines(of command: [String], output: String) -> [String]? {
        guard (try? SystemFile.write([], to: output)) != nil,
            let file = FileHandle(forWritingAtPath: output), (try? run(command, output: file)) == true
        else { return nil }
        let lines = (SystemFile.text(output) ?? "").split { $0.isNewline }.map { line in
            line.split { $0.isWhitespace }.joined(separator: " ")
        }
        let filled = lines.filter { !$0.isEmpty }.prefix(6)
        return filled.isEmpty ? nil : Array(filled)
    }
}
