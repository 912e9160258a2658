// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// Where the limit on memory is found.
struct AvailableMemoryTests {
    @Test func `a control group and all that contain it may have a limit, of either version`() {
        let membership = """
            12:cpu,cpuacct:/system.slice/broker.service
            4:hugetlb,memory:/docker/abc
            0::/system.slice/broker.service

            """
        #expect(
            AvailableMemory.groupFiles(of: membership) == [
                "/sys/fs/cgroup/memory/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory.max",
                "/sys/fs/cgroup/system.slice/memory.max",
                "/sys/fs/cgroup/system.slice/broker.service/memory.max",
            ])
        #expect(AvailableMemory.groupFiles(of: "0::/\n") == ["/sys/fs/cgroup/memory.max"])
        #expect(AvailableMemory.groupFiles(of: "nothing of the kind") == [])
    }

    @Test func `a quarter is what clients may hold, within bounds`() {
        #expect(AvailableMemory.bytes > 64 << 20)
        #expect((64 << 20...256 << 20).contains(AvailableMemory.share))
    }
}
