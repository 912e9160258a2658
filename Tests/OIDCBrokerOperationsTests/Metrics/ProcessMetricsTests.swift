// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

@Suite struct ProcessMetricsTests {
    /// A line of proc(5), whose fields from the third one on have their numbers as values.
    private static func stat(_ name: String, fields: ClosedRange<Int> = 3...52) -> [UInt8] {
        Array("4711 (\(name)) \(fields.map { "\($0)" }.joined(separator: " "))\n".utf8)
    }

    @Test(arguments: ["oidc-broker", "a b", "x) 1 2 3 (y", ")", ""])
    func `the fields of a process, whatever its name is`(name: String) {
        var expected = ProcessStatistics()
        expected.ticks = 14 + 15
        expected.threads = 20
        expected.startTicks = 22
        expected.virtualBytes = 23
        expected.residentPages = 24
        #expect(ProcessStatistics(stat: Self.stat(name)) == expected)
    }

    @Test(arguments: ["", ")", "1 (a)", "1 (a) S 2 3", "1 (a) " + String(repeating: "x ", count: 60)])
    func `what cannot be read is left out`(text: String) {
        #expect(ProcessStatistics(stat: Array(text.utf8)) == ProcessStatistics())
    }

    @Test func `a number that is too large is none`() {
        let huge =
            Array("1 (a) ".utf8) + Array(repeating: "99999999999999999999999", count: 50).joined(separator: " ").utf8
        #expect(ProcessStatistics(stat: huge) == ProcessStatistics())
    }

    @Test func `limits and the start of the system`() {
        let limits = """
            Limit                     Soft Limit           Hard Limit           Units
            Max processes             63432                63432                processes
            Max open files            1024                 524288               files
            """
        #expect(ProcessStatistics.maximumOpenFiles(limits: Array(limits.utf8)) == 1024)
        let unlimited = "Max open files            unlimited            unlimited            files"
        #expect(ProcessStatistics.maximumOpenFiles(limits: Array(unlimited.utf8)) == nil)
        #expect(ProcessStatistics.bootTime(stat: Array("cpu 1 2\nctxt 3\nbtime 1700000000\n".utf8)) == 1_700_000_000)
        #expect(ProcessStatistics.bootTime(stat: Array("cpu 1 2\n".utf8)) == nil)
    }

    #if os(Linux)
        @Test func `this process`() throws {
            let values = Dictionary(
                ProcessMetrics.samples().map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            #expect(Set(values.keys) == Set(MetricFamily.known.map(\.name).filter { $0.hasPrefix("process_") }))
            #expect(try #require(values["process_cpu_seconds"]) > 0)
            #expect(try #require(values["process_threads"]) >= 1)
            #expect(try #require(values["process_resident_memory_bytes"]) > 1_000_000)
            let files = try #require(values["process_open_fds"])
            let maximum = try #require(values["process_max_fds"])
            #expect(files >= 1 && files <= maximum)
            // Not before this was written: 2023-11-14.
            #expect(try #require(values["process_start_time_seconds"]) > 1_700_000_000)
        }
    #endif

    @Test func `each family has one help text, a name of the formats, and a type of its own`() {
        let names = MetricFamily.known.map(\.name)
        #expect(Set(names).count == names.count)
        let claimed = MetricFamily.known.flatMap(\.claimedNames)
        #expect(Set(claimed).count == claimed.count)
        for family in MetricFamily.known {
            #expect(MetricText.metricName(family.name) == family.name)
            #expect(!family.name.hasSuffix("_total"))
            #expect(family.help.hasSuffix("."))
        }
    }
}
