// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// The CPU affinity of this process and its limit on open files, by standard Linux programs.
enum Affinity {
    /// Pins every thread of this process to processors. New threads inherit the affinity.
    static func pin(to processors: ProcessorList) throws {
        try run(["taskset", "-a", "-c", "-p", processors.description, ownProcess])
    }

    /// Raises the soft limit of open files to the hard one, since a thousand users have a thousand connections.
    static func raiseFileLimit() {
        try? run(["prlimit", "--pid", ownProcess, "--nofile=\(hardLimit):"])
    }

    private static var ownProcess: String { String(ProcessInfo.processInfo.processIdentifier) }

    private static var hardLimit: String {
        let lines = (SystemFile.text("/proc/self/limits") ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("Max open files") }) else { return "65536" }
        let fields = line.split(separator: " ")
        return fields.count > 4 ? String(fields[4]) : "65536"
    }

    private static func run(_ command: [String]) throws {
        guard try ShortProgram.run(command) else {
            throw LatencyToolError("'\(command.joined(separator: " "))' failed")
        }
    }
}
