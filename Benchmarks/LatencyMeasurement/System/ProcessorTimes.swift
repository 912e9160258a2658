// SPDX-License-Identifier: Apache-2.0

/// The busy time of each processor from `/proc/stat` (proc_stat(5)), in clock ticks. Processes with a lower priority do
/// not count, because they yield; what keeps a processor awake during a measurement is one of them.
package struct ProcessorTimes: Sendable, Hashable {
    private let busy: [Int: UInt64]

    /// Parses the text.
    package init(_ text: String) {
        var busy: [Int: UInt64] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("cpu") && !line.hasPrefix("cpu ") {
            let fields = line.split(separator: " ")
            guard let number = Int(fields[0].dropFirst(3)), fields.count > 8 else { continue }
            // user, system, irq, softirq, steal; not nice, idle and iowait
            busy[number] = [1, 3, 6, 7, 8].reduce(0) { $0 + (UInt64(fields[$1]) ?? 0) }
        }
        self.busy = busy
    }

    /// Returns the busy ticks of the given processors together, or of all processors if none is given.
    package func busyTicks(of processors: [Int]) -> UInt64 {
        let wanted = processors.isEmpty ? Array(busy.keys) : processors
        return wanted.reduce(0) { $0 + (busy[$1] ?? 0) }
    }

    /// The number of processors.
    package var count: Int { busy.count }
}
