// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// The processor time that the target, this tool and the whole machine have used until a moment.
struct ResourceUse: Sendable {
    /// That of the target; `nil` if its processes are not known.
    var target: ProcessTree.ProcessorTime?
    /// That of this tool.
    var own: ProcessTree.ProcessorTime
    /// That of the processors.
    var processors: ProcessorTimes

    /// Reads the times.
    ///
    /// - Parameters:
    ///   - tree: The processes of the target.
    ///   - browsers: Those that make the connections of browsers, whose time is this tool's.
    static func now(of tree: ProcessTree?, browsers: ProcessTree? = nil) -> ResourceUse {
        var own = ProcessTree.own()
        if let others = browsers?.processorTime() {
            own.user += others.user
            own.system += others.system
        }
        return ResourceUse(
            target: tree?.processorTime(), own: own,
            processors: ProcessorTimes(SystemFile.text("/proc/stat") ?? ""))
    }

    /// Returns what was used in a window.
    ///
    /// - Parameters:
    ///   - after: The times at the end of the window.
    ///   - window: The window.
    ///   - ended: The number of what ended in it.
    ///   - idle: The memory before the load.
    ///   - residentLoaded: The largest resident memory during the load.
    ///   - memory: The memory after the load.
    ///   - pinned: The processors of the target.
    /// - Returns: `nil` if the times of the target are not known.
    func usage(
        until after: ResourceUse, window: MeasurementWindow, ended: Double, idle: ProcessTree.Memory,
        residentLoaded: Double, memory: ProcessTree.Memory, pinned: ProcessorList?
    ) -> TargetUsage? {
        guard let first = target, let last = after.target, last.time > first.time, ended > 0 else { return nil }
        let elapsed = Double(last.time - first.time) / 1_000_000_000
        // The figures were sampled slightly before or after the ends of the window.
        let each = window.seconds / elapsed / ended * 1000
        let user = last.user - first.user
        let system = last.system - first.system
        let ownTime = after.own.user + after.own.system - own.user - own.system
        let numbers = pinned?.numbers ?? []
        let busyTicks = after.processors.busyTicks(of: numbers) - processors.busyTicks(of: numbers)
        let busy = Double(busyTicks) / ProcessTree.ticksPerSecond
        let known = user + system + (numbers.isEmpty ? ownTime : 0)
        return TargetUsage(
            secondsPerThousand: (user + system) * each, userSecondsPerThousand: user * each,
            systemSecondsPerThousand: system * each, processors: (user + system) / elapsed,
            foreignProcessors: max(0, (busy - known) / elapsed), ownSecondsPerThousand: ownTime * each,
            residentIdle: idle.resident, residentLoaded: max(residentLoaded, memory.resident),
            residentAfter: memory.resident, proportionalIdle: idle.proportional,
            proportionalAfter: memory.proportional, processes: memory.processes)
    }
}
