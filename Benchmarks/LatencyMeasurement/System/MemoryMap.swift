// SPDX-License-Identifier: Apache-2.0

/// The sums of `/proc/<pid>/smaps_rollup` (proc_pid_smaps(5)), in kilobytes of 1,024 bytes.
package struct MemoryMap: Sendable, Hashable {
    /// The resident memory, including memory shared with other processes.
    package let residentKilobytes: Int
    /// The resident memory, with shared memory divided among the processes that share it.
    package let proportionalKilobytes: Int

    /// Parses the text; `nil` if a sum is missing.
    package init?(_ text: String) {
        var resident: Int?
        var proportional: Int?
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count >= 2 else { continue }
            switch fields[0] {
            case "Rss:": resident = Int(fields[1])
            case "Pss:": proportional = Int(fields[1])
            default: continue
            }
        }
        guard let resident, let proportional else { return nil }
        residentKilobytes = resident
        proportionalKilobytes = proportional
    }
}
