// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The number of processors that this process may use.
///
/// Neither `System.coreCount` nor Foundation's `activeProcessorCount` considers the CPU affinity (`taskset`, systemd's
/// `CPUAffinity`). More event loops than processors are not faster and need more memory.
package enum UsableProcessors {
    /// The smaller of the limits of control groups and CPU affinity, at least 1.
    package static var count: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return max(1, min(System.coreCount, status.flatMap(affinity(inStatus:)) ?? .max))
    }

    /// The number of processors in the affinity from a process's status file on Linux, `Cpus_allowed:` with a bit for
    /// each in groups of eight hexadecimal digits; `nil` if it is not there.
    static func affinity(inStatus status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
        guard let mask = line?.split(whereSeparator: { $0 == ":" || $0.isWhitespace }).last else { return nil }
        let bits = mask.split(separator: ",").map { UInt32($0, radix: 16)?.nonzeroBitCount }
        let count = bits.reduce(into: 0) { $0 += $1 ?? 0 }
        return bits.contains(nil) || count == 0 ? nil : count
    }
}
