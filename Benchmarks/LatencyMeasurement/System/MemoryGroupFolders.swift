// SPDX-License-Identifier: Apache-2.0

/// Where a process may make a control group for memory, and the files of one (cgroups(7)).
package struct MemoryGroupFolders: Sendable, Hashable {
    /// The folders of groups that may take a new one, the process's own first.
    package let parents: [String]
    /// The file with the limit in bytes.
    package let limit: String
    /// Further files that take the same limit, where they exist, so that nothing gets around the first.
    package let furtherLimits: [String]
    /// The files with the most bytes so far, together those of the group.
    package let peaks: [String]

    /// Finds the folders.
    ///
    /// - Parameters:
    ///   - membership: The text of `/proc/self/cgroup`.
    ///   - isUnified: Whether `/sys/fs/cgroup` is of the second version, which has `cgroup.controllers` there.
    package init(membership: String, isUnified: Bool) {
        let root: String
        if isUnified {
            root = "/sys/fs/cgroup"
            limit = "memory.max"
            furtherLimits = []
            peaks = ["memory.peak"]
        } else {
            root = "/sys/fs/cgroup/memory"
            limit = "memory.limit_in_bytes"
            // Swap, and the buffers of sockets, which the first version counts apart and only where they have a limit.
            furtherLimits = ["memory.memsw.limit_in_bytes", "memory.kmem.tcp.limit_in_bytes"]
            peaks = ["memory.max_usage_in_bytes", "memory.kmem.tcp.max_usage_in_bytes"]
        }
        var names: [String] = []
        for line in membership.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let controllers = fields[1].split(separator: ",")
            guard isUnified ? fields[1].isEmpty : controllers.contains("memory") else { continue }
            names = fields[2].split(separator: "/").map(String.init)
        }
        // Of the second version, a group with processes takes no further one with a limit, but one beside it may go.
        // The path may be that of the machine although a container sees its own group as the root.
        parents = (0...names.count).reversed().map { count in
            ([root] + names.prefix(count)).joined(separator: "/")
        }
    }
}
