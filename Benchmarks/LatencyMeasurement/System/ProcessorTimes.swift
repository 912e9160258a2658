// SPDX-License-Identifier: Apache-2.0

/// How long each processor was busy, from `/proc/stat` (proc_stat(5)); clock ticks. What runs at a lower priority than
/// usual does not count: it gives way, and what keeps a processor awake for a measurement is such.
package struct ProcessorTimes: Sendable, Hashable {
    private let busy: [Int: UInt64]

    /// Reads the text.
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

    /// The busy ticks of some processors together; all of them where none is named.
    package func busyTicks(of processors: [Int]) -> UInt64 {
        let wanted = processors.isEmpty ? Array(busy.keys) : processors
        return wanted.reduce(0) { $0 + (busy[$1] ?? 0) }
    }

    /// How many processors there are.
    package var count: Int { busy.count }
}
