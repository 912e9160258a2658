// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// Processors that are kept from idling during a measurement.
///
/// Waking an idle processor takes tens of microseconds, in a virtual machine more than a request takes, and is charged to
/// the process that wakes it. The figures would then mostly show how often a target lets its processor idle. A process of
/// the lowest scheduling class (`SCHED_IDLE`) runs on each processor and yields to everything at once.
final class AwakeProcessors {
    private struct Companion {
        let process: Process
        /// The pipe whose end stops the companion process.
        let input: Pipe
    }

    private let companions: [Companion]

    /// The time for a companion that cannot run to end, in microseconds.
    private static let trial: UInt32 = 100_000

    /// Keeps processors awake, if any are given.
    ///
    /// - Throws: ``LatencyToolError`` if that is not possible.
    /// - Parameters:
    ///   - processors: The numbers of the processors.
    ///   - tool: The path of this tool's executable.
    init(_ processors: Set<Int>, tool: String) throws {
        companions = try processors.sorted().map { number in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            // With a low priority too, so that the kernel counts it separately. See `ProcessorTimes`.
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

    /// Lets the processors idle again.
    func stop() {
        for companion in companions {
            try? companion.input.fileHandleForWriting.close()
            companion.process.terminate()
        }
    }
}

@available(*, unavailable)
extension AwakeProcessors: Sendable {}
