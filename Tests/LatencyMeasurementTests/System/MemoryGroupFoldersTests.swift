// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct MemoryGroupFoldersTests {
    @Test func `of the first version the folders are those of the memory controller`() {
        let text = "9:name=systemd:/\n4:cpu,memory:/a/b\n3:cpuset:/other\n0::/unified\n"
        let folders = MemoryGroupFolders(membership: text, isUnified: false)
        #expect(
            folders.parents == ["/sys/fs/cgroup/memory/a/b", "/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory"])
        #expect(folders.limit == "memory.limit_in_bytes")
        #expect(folders.peaks == ["memory.max_usage_in_bytes", "memory.kmem.tcp.max_usage_in_bytes"])
    }

    @Test func `of the second version the folders are those of the only hierarchy`() {
        let folders = MemoryGroupFolders(membership: "0::/user.slice/a:b\n", isUnified: true)
        #expect(
            folders.parents == ["/sys/fs/cgroup/user.slice/a:b", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"])
        #expect(folders.limit == "memory.max")
        #expect(folders.furtherLimits.isEmpty)
    }

    @Test(arguments: ["", "0::/", "nothing of the kind\n"])
    func `without a group of its own the root is left`(text: String) {
        #expect(MemoryGroupFolders(membership: text, isUnified: true).parents == ["/sys/fs/cgroup"])
        #expect(MemoryGroupFolders(membership: text, isUnified: false).parents == ["/sys/fs/cgroup/memory"])
    }
}
