// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct SystemTests {
    private static func line(_ id: Int, _ name: String, parent: Int, user: Int = 3, system: Int = 4) -> String {
        "\(id) (\(name)) S \(parent) 1 1 0 -1 4194560 100 0 0 0 \(user) \(system) 5 6 20 0 9 0 1234 1000000 250 "
            + "18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n"
    }

    @Test(arguments: ["sh", "a b", "a) S 9 (b", "((", "))"])
    func `a process is read whatever its name is`(name: String) throws {
        let status = try #require(ProcessStatus(Self.line(42, name, parent: 7)))
        #expect(status.processID == 42)
        #expect(status.parentID == 7)
        #expect(status.userTicks == 3 + 5)
        #expect(status.systemTicks == 4 + 6)
        #expect(status.residentPages == 250)
    }

    @Test(arguments: ["", "42", "42 (x", "42 (x) S", "x (y) S 1 2 3"])
    func `a text that is not such a line is none`(text: String) {
        #expect(ProcessStatus(text) == nil)
    }

    @Test func `a tree is a process and its descendants only`() throws {
        let processes = [(1, 0), (10, 1), (11, 10), (12, 11), (13, 10), (20, 1), (21, 20)].compactMap { id, parent in
            ProcessStatus(Self.line(id, "x", parent: parent))
        }
        #expect(processes.count == 7)
        #expect(Set(ProcessStatus.tree(of: 10, in: processes).map(\.processID)) == [10, 11, 12, 13])
        #expect(ProcessStatus.tree(of: 99, in: processes).isEmpty)
    }

    @Test func `memory is the sums of the map`() throws {
        let text = """
            55f0-7ffd ---p 00000000 00:00 0 [rollup]
            Rss:               13400 kB
            Pss:                5123 kB
            Pss_Anon:            100 kB
            """
        let map = try #require(MemoryMap(text))
        #expect(map.residentKilobytes == 13_400)
        #expect(map.proportionalKilobytes == 5123)
        #expect(MemoryMap("Rss: 5 kB") == nil)
    }

    @Test func `busy processors are those that are named, what gives way left out`() {
        let times = ProcessorTimes(
            """
            cpu  100 0 100 1000 0 0 0 0 0 0
            cpu0 10 1 20 500 7 3 4 5 0 0
            cpu1 90 0 80 500 0 0 0 0 0 0
            intr 5
            """)
        #expect(times.count == 2)
        #expect(times.busyTicks(of: [0]) == 42)
        #expect(times.busyTicks(of: [0, 1]) == 212)
        #expect(times.busyTicks(of: []) == 212)
        #expect(times.busyTicks(of: [9]) == 0)
    }

    @Test(arguments: [("0", [0]), ("0,2", [0, 2]), ("0-3", [0, 1, 2, 3]), ("1-2,2,5", [1, 2, 5])])
    func `processors as taskset takes them`(text: String, numbers: [Int]) throws {
        let list = try #require(ProcessorList(text))
        #expect(list.numbers == numbers)
        #expect(list.description == text)
    }

    @Test(arguments: ["", ",", "a", "1-", "-1", "3-1", "0;1", "1-2-3", "99999"])
    func `a text that is not a list of processors is none`(text: String) {
        #expect(ProcessorList(text) == nil)
    }
}
