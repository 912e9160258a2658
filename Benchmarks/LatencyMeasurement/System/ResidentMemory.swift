// SPDX-License-Identifier: Apache-2.0

/// The resident memory in `/proc/<pid>/status` (proc_pid_status(5)).
package struct ResidentMemory: Sendable, Hashable {
    /// The current resident memory (VmRSS), in kilobytes of 1,024 bytes.
    package let nowKilobytes: Int
    /// The largest resident memory since the program began (VmHWM), in kilobytes.
    package let peakKilobytes: Int

    /// The current resident memory in megabytes of 2^20 bytes.
    package var nowMegabytes: Double { Double(nowKilobytes) / 1024 }
    /// The largest resident memory in megabytes.
    package var peakMegabytes: Double { Double(peakKilobytes) / 1024 }

    /// Parses the text of the file; `nil` if a line is missing, as for a process that has ended.
    package init?(_ text: String) {
        func kilobytes(_ name: String) -> Int? {
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }) else { return nil }
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.count == 3 ? Int(words[1]) : nil
        }
        guard let now = kilobytes("VmRSS"), let peak = kilobytes("VmHWM") else { return nil }
        nowKilobytes = now
        peakKilobytes = peak
    }
}
