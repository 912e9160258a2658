// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// A process and its descendants, from `/proc`.
struct ProcessTree: Sendable {
    /// The processor time used so far, in seconds.
    struct ProcessorTime: Sendable {
        var user = 0.0
        var system = 0.0
        /// The time of the sample, in nanoseconds of the monotonic clock.
        var time: Int64
    }

    /// Memory in megabytes of 2^20 bytes.
    struct Memory: Sendable {
        var resident = 0.0
        var proportional = 0.0
        var processes = 0
    }

    /// The clock ticks per second: `sysconf(_SC_CLK_TCK)` is always 100 on Linux.
    static let ticksPerSecond = 100.0

    let root: Int

    /// Returns the processes that are alive.
    func members() -> [ProcessStatus] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return [] }
        let all = names.compactMap { name -> ProcessStatus? in
            guard Int(name) != nil, let text = SystemFile.text("/proc/\(name)/stat") else { return nil }
            return ProcessStatus(text)
        }
        return ProcessStatus.tree(of: root, in: all)
    }

    /// Returns the processor time of the processes and their ended children.
    func processorTime() -> ProcessorTime {
        var time = ProcessorTime(time: MonotonicClock.now())
        for member in members() {
            time.user += Double(member.userTicks) / Self.ticksPerSecond
            time.system += Double(member.systemTicks) / Self.ticksPerSecond
        }
        return time
    }

    /// Returns the memory of the processes, for which the kernel inspects every page.
    func memory() -> Memory {
        var memory = Memory()
        for member in members() {
            guard let text = SystemFile.text("/proc/\(member.processID)/smaps_rollup"), let map = MemoryMap(text) else {
                continue
            }
            memory.processes += 1
            memory.resident += Double(map.residentKilobytes) / 1024
            memory.proportional += Double(map.proportionalKilobytes) / 1024
        }
        return memory
    }

    /// Returns the resident memory by the kernel's own counters, which is cheap enough to call under load.
    func residentMegabytes() -> Double {
        let pages = members().reduce(0) { $0 + $1.residentPages }
        return Double(pages) * Double(Self.pageBytes) / 1_048_576
    }

    /// Returns the processor time of this process.
    static func own() -> ProcessorTime {
        var time = ProcessorTime(time: MonotonicClock.now())
        if let text = SystemFile.text("/proc/self/stat"), let status = ProcessStatus(text) {
            time.user = Double(status.userTicks) / ticksPerSecond
            time.system = Double(status.systemTicks) / ticksPerSecond
        }
        return time
    }

    private static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
}
