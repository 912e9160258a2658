// SPDX-License-Identifier: Apache-2.0

/// A line of `/proc/<pid>/stat` (proc_pid_stat(5)), as far as the measurement needs it.
package struct ProcessStatus: Sendable, Hashable {
    /// The process.
    package let processID: Int
    /// Its parent.
    package let parentID: Int
    /// Clock ticks in user mode, those of children that have ended and were waited for included.
    package let userTicks: UInt64
    /// Clock ticks in the kernel, likewise.
    package let systemTicks: UInt64
    /// Resident pages.
    package let residentPages: Int

    /// Reads the line. The program's name in it may hold anything, parentheses and spaces included.
    package init?(_ text: String) {
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
            let processID = Int(text[..<open].filter { $0 != " " })
        else { return nil }
        // Field 3, the state, is the first one behind the name.
        let fields = text[text.index(after: close)...].split { $0 == " " || $0 == "\n" }
        guard fields.count > 21, let parentID = Int(fields[1]), let user = UInt64(fields[11]),
            let system = UInt64(fields[12]), let residentPages = Int(fields[21])
        else { return nil }
        self.processID = processID
        self.parentID = parentID
        // Children's times are signed in the table; they are never negative.
        userTicks = user + (UInt64(fields[13]) ?? 0)
        systemTicks = system + (UInt64(fields[14]) ?? 0)
        self.residentPages = residentPages
    }

    /// A process and all its descendants among those given.
    package static func tree(of root: Int, in processes: [ProcessStatus]) -> [ProcessStatus] {
        var members: [ProcessStatus] = processes.filter { $0.processID == root }
        var known: Set<Int> = [root]
        var next = 0
        while next < members.count {
            let parent = members[next].processID
            next += 1
            for process in processes where process.parentID == parent && known.insert(process.processID).inserted {
                members.append(process)
            }
        }
        return members
    }
}
