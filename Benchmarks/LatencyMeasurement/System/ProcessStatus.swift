// SPDX-License-Identifier: Apache-2.0

/// A line of `/proc/<pid>/stat` (proc_pid_stat(5)), as far as it is needed.
package struct ProcessStatus: Sendable, Hashable {
    /// The process ID.
    package let processID: Int
    /// The process ID of the parent.
    package let parentID: Int
    /// The clock ticks in user mode, including those of children that have ended and were waited for.
    package let userTicks: UInt64
    /// The clock ticks in the kernel, including those of such children.
    package let systemTicks: UInt64
    /// The number of resident pages.
    package let residentPages: Int

    /// Parses the line. The name of the program in it may contain any characters, including parentheses and spaces.
    package init?(_ text: String) {
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
            let processID = Int(text[..<open].filter { $0 != " " })
        else { return nil }
        // Field 3, the state, is the first one after the name.
        let fields = text[text.index(after: close)...].split { $0 == " " || $0 == "\n" }
        guard fields.count > 21, let parentID = Int(fields[1]), let user = UInt64(fields[11]),
            let system = UInt64(fields[12]), let residentPages = Int(fields[21])
        else { return nil }
        self.processID = processID
        self.parentID = parentID
        // The times of children are signed in the documentation; they are never negative.
        userTicks = user + (UInt64(fields[13]) ?? 0)
        systemTicks = system + (UInt64(fields[14]) ?? 0)
        self.residentPages = residentPages
    }

    /// Returns a process and all its descendants among the given ones.
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
