// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// A program that ends quickly, such as `taskset`.
enum ShortProgram {
    /// Runs a program and waits.
    ///
    /// - Parameters:
    ///   - command: The program, which is looked up in the path, and its arguments.
    ///   - output: The destination of its standard output.
    /// - Returns: Whether it ended within 5 seconds with status 0.
    static func run(_ command: [String], output: FileHandle = .nullDevice) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Not `waitUntilExit`, which spins without a run loop.
        let end = MonotonicClock.now() + 5_000_000_000
        while process.isRunning, MonotonicClock.now() < end { usleep(2000) }
        guard !process.isRunning else {
            process.terminate()
            return false
        }
        return process.terminationStatus == 0
    }

    /// Returns the output, at most six lines of it with single spaces; `nil` if the program fails or prints nothing.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - output: A file for its output.
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
