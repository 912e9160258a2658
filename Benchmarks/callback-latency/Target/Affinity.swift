// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// Which processors this process may use, and how many files it may have open; by the programs that every Linux has for
/// it.
enum Affinity {
    /// Binds every thread of this process to some processors; threads that begin later follow the one that began them.
    static func pin(to processors: ProcessorList) throws {
        try run(["taskset", "-a", "-c", "-p", processors.description, ownProcess])
    }

    /// Raises the soft limit of open files to the hard one: a thousand users have a thousand connections.
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
