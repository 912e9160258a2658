// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// Processors that do not go to sleep while something is measured.
///
/// Waking one takes the machine tens of microseconds, in a virtual machine more than a request takes, and what wakes it is
/// charged for it: then the figures say how often a target lets its processor idle, and little else. A process of the
/// lowest class there is (`SCHED_IDLE`) runs on each; it gives way to everything at once.
final class AwakeProcessors {
    private struct Companion {
        let process: Process
        /// It ends when this does.
        let input: Pipe
    }

    private let companions: [Companion]

    /// How long a companion that cannot run is given to end, microseconds.
    private static let trial: UInt32 = 100_000

    /// Keeps processors awake; none where nothing is named.
    ///
    /// - Throws: ``LatencyToolError`` where they cannot be kept so.
    /// - Parameters:
    ///   - processors: Their numbers.
    ///   - tool: This tool's executable.
    init(_ processors: Set<Int>, tool: String) throws {
        companions = try processors.sorted().map { number in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            // Of its own priority as well, so that the kernel counts it apart: see `ProcessorTimes`.
            process.arguments = [
                "nice", "-n", "19", "chrt", "--idle", "0", "taskset", "-c", String(number), tool, "stay-awake",
            ]
            let input = Pipe()
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            return Companion(process: process, input: input)
        }
        guard !companions.isEmpty else { return }
        usleep(Self.trial)
        guard companions.allSatisfy(\.process.isRunning) else {
            stop()
            throw LatencyToolError("nice, chrt or taskset does not run: --no-awake does without")
        }
    }

    /// Lets them sleep.
    func stop() {
        for companion in companions {
            try? companion.input.fileHandleForWriting.close()
            companion.process.terminate()
        }
    }
}

@available(*, unavailable)
extension AwakeProcessors: Sendable {}
