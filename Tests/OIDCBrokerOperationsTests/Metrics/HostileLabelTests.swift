// SPDX-License-Identifier: Apache-2.0

import Metrics
import Testing

@testable import OIDCBrokerOperations

/// Names and values that would break a scrape, which is refused as a whole by one bad line.
@Suite struct HostileLabelTests {
    private let metrics = PrometheusMetrics(logger: WarningRecorder().logger)

    private func lines() -> [String] {
        String(decoding: metrics.exposition(.openMetrics, scraped: []), as: UTF8.self)
            .split(separator: "\n").map { String($0) }.filter { !$0.hasPrefix("auth_") && !$0.contains(" auth_") }
    }

    private func series(_ label: String, _ dimensions: [(String, String)] = []) -> [String] {
        Gauge(label: label, dimensions: dimensions, factory: metrics).record(1)
        return lines()
    }

    @Test(arguments: [
        ("http.request-size", "http_request_size"), ("9lives", "_9lives"), ("", "_"), ("a:b", "a:b"),
        ("caf\u{E9}", "caf__"), ("a b\n# EOF", "a_b___EOF"),
    ])
    func `names of metrics`(label: String, name: String) {
        #expect(series(label) == ["# TYPE \(name) gauge", "\(name) 1", "# EOF"])
    }

    @Test(arguments: [
        ("a.b", "a_b"), ("a:b", "a_b"), ("__name__", "_name__"), ("le", "le_"), ("quantile", "quantile_"), ("1", "_1"),
    ])
    func `names of labels`(given: String, name: String) {
        #expect(series("g", [(given, "v")]).contains("g{\(name)=\"v\"} 1"))
    }

    @Test(arguments: [
        (#"a"b\c"#, #"a\"b\\c"#), ("a\nb\r\u{0}\u{7F}c", "a b   c"), ("\"} 1\n# EOF\nx 2", #"\"} 1 # EOF x 2"#),
        ("gr\u{FC}n", "gr\u{FC}n"),
    ])
    func `values`(given: String, value: String) {
        #expect(series("g", [("a", given)]).contains("g{a=\"\(value)\"} 1"))
    }

    @Test func `a value is cut at a whole character, and a megabyte of combining marks takes no time`() {
        let marks = "a" + String(repeating: "\u{301}", count: 500_000)
        let line = series("g", [("a", marks)]).first { $0.hasPrefix("g{") } ?? ""
        // One byte, and 63 marks of two bytes; the 64th would be the 129th byte.
        #expect(line.utf8.count == "g{a=\"\"} 1".utf8.count + 127)
        #expect(MetricText.metricName(marks).utf8.count == MetricText.longestName)
    }

    @Test func `what would be written alike is one series, so that no line comes twice`() {
        for labels in [[("a.b", "x")], [("a-b", "x")], [("a_b", "x"), ("a/b", "y")]] {
            Counter(label: "c", dimensions: labels, factory: metrics).increment()
        }
        Counter(label: "c_total", dimensions: [("a_b", "x")], factory: metrics).increment()
        #expect(lines() == ["# TYPE c counter", #"c_total{a_b="x"} 4"#, "# EOF"])
    }

    @Test func `a name of another type is not kept, and is counted`() {
        Timer(label: "t", factory: metrics).recordSeconds(1)
        Counter(label: "c", factory: metrics).increment()
        for name in ["t_seconds", "t_seconds_count", "t_seconds_bucket", "c", "c_total"] {
            Gauge(label: name, factory: metrics).record(1)
        }
        Counter(label: "t_seconds_sum", factory: metrics).increment()
        #expect(metrics.droppedSeries == 6)
        #expect(lines().filter { $0.hasPrefix("# TYPE") } == ["# TYPE c counter", "# TYPE t_seconds histogram"])
    }

    @Test func `more labels than there may be`() {
        let labels = (0...LabelSet.mostLabels).map { ("l\($0)", "v") }
        Counter(label: "most", dimensions: Array(labels.dropLast()), factory: metrics).increment()
        #expect(metrics.droppedSeries == 0)
        Counter(label: "more", dimensions: labels, factory: metrics).increment()
        #expect(metrics.droppedSeries == 1)
    }
}
