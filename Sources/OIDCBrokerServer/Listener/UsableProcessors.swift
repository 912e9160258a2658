// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore

/// How many processors this process may use.
///
/// Neither `System.coreCount` nor Foundation's `activeProcessorCount` looks at the affinity (`taskset`, systemd's
/// `CPUAffinity`). A loop more than there are processors runs nothing sooner, and has an allocator's arena and caches of
/// its own: 8 MB under load.
package enum UsableProcessors {
    /// The smaller of what control groups and the affinity allow; at least 1.
    package static var count: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return max(1, min(System.coreCount, status.flatMap(affinity(inStatus:)) ?? .max))
    }

    /// Processors in the affinity, as Linux tells it of a process: `Cpus_allowed:` and a bit for each, in groups of eight
    /// hexadecimal digits. `nil` if it does not say.
    static func affinity(inStatus status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
        guard let mask = line?.split(whereSeparator: { $0 == ":" || $0.isWhitespace }).last else { return nil }
        let bits = mask.split(separator: ",").map { UInt32($0, radix: 16)?.nonzeroBitCount }
        let count = bits.reduce(into: 0) { $0 += $1 ?? 0 }
        return bits.contains(nil) || count == 0 ? nil : count
    }
}
