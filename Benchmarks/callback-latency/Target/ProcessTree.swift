// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// A process and its descendants, as `/proc` shows them.
struct ProcessTree: Sendable {
    /// Processor time that was used up to now, seconds.
    struct ProcessorTime: Sendable {
        var user = 0.0
        var system = 0.0
        /// When it was read; nanoseconds of the monotonic clock.
        var time: Int64
    }

    /// Memory, megabytes of 2^20 bytes.
    struct Memory: Sendable {
        var resident = 0.0
        var proportional = 0.0
        var processes = 0
    }

    /// Clock ticks in a second: `sysconf(_SC_CLK_TCK)` is 100 on every Linux that user space sees.
    static let ticksPerSecond = 100.0

    let root: Int

    /// The processes that are alive.
    func members() -> [ProcessStatus] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else { return [] }
        let all = names.compactMap { name -> ProcessStatus? in
            guard Int(name) != nil, let text = SystemFile.text("/proc/\(name)/stat") else { return nil }
            return ProcessStatus(text)
        }
        return ProcessStatus.tree(of: root, in: all)
    }

    /// What they have used, and their children that have ended.
    func processorTime() -> ProcessorTime {
        var time = ProcessorTime(time: MonotonicClock.now())
        for member in members() {
            time.user += Double(member.userTicks) / Self.ticksPerSecond
            time.system += Double(member.systemTicks) / Self.ticksPerSecond
        }
        return time
    }

    /// What they have in memory; looks at every page.
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

    /// What they have in memory, by the kernel's own count: cheap enough to be asked under load.
    func residentMegabytes() -> Double {
        let pages = members().reduce(0) { $0 + $1.residentPages }
        return Double(pages) * Double(Self.pageBytes) / 1_048_576
    }

    /// This process alone.
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
