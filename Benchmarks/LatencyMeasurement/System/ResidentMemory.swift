// SPDX-License-Identifier: Apache-2.0

/// What `/proc/<pid>/status` says of resident memory (proc_pid_status(5)).
package struct ResidentMemory: Sendable, Hashable {
    /// Resident now (VmRSS), kilobytes of 1,024 bytes.
    package let nowKilobytes: Int
    /// The most that was resident since the program began (VmHWM), kilobytes.
    package let peakKilobytes: Int

    /// Reads the file's text; `nil` if a line is missing, as in that of a process that has ended.
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
