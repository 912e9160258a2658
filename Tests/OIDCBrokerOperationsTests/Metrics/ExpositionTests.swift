// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics
import Testing

@testable import OIDCBrokerOperations

/// The two texts, line by line against what the formats say. Lines about dropped series stand in each.
@Suite struct ExpositionTests {
    private let metrics = PrometheusMetrics(logger: WarningRecorder().logger)

    private func text(_ format: ExpositionFormat, _ scraped: [MetricSample] = []) -> [String] {
        let text = String(decoding: metrics.exposition(format, scraped: scraped), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    private func count(_ label: String, _ dimensions: [(String, String)] = [], by amount: Int64 = 1) {
        Counter(label: label, dimensions: dimensions, factory: metrics).increment(by: amount)
    }

    @Test func `counters, gauges and what is read at the scrape, in the older format`() {
        count("auth_callbacks", [("provider", "acme"), ("outcome", "signed_in")], by: 3)
        count("auth_callbacks", [("outcome", "failed"), ("provider", "acme")])
        Gauge(label: "of_somebody", factory: metrics).record(0.25)
        #expect(
            text(.prometheus, [MetricSample("auth_connections", [("version", "2")], 7)]) == [
                "# HELP auth_callbacks_total Callbacks of providers, by provider and outcome.",
                "# TYPE auth_callbacks_total counter",
                #"auth_callbacks_total{outcome="failed",provider="acme"} 1"#,
                #"auth_callbacks_total{outcome="signed_in",provider="acme"} 3"#,
                "# HELP auth_connections Open connections, by HTTP version.",
                "# TYPE auth_connections gauge",
                #"auth_connections{version="2"} 7"#,
                "# HELP auth_metrics_series_dropped_total Series that were not made because of a limit.",
                "# TYPE auth_metrics_series_dropped_total counter",
                "auth_metrics_series_dropped_total 0",
                "# TYPE of_somebody gauge",
                "of_somebody 0.25",
                "",
            ])
    }

    @Test func `the same in OpenMetrics, where a counter's family has a name without its suffix`() {
        count("auth_callbacks", [("provider", "acme"), ("outcome", "signed_in")], by: 3)
        #expect(
            text(.openMetrics, [MetricSample("process_cpu_seconds", [], 1.5, isCounter: true)]) == [
                "# HELP auth_callbacks Callbacks of providers, by provider and outcome.",
                "# TYPE auth_callbacks counter",
                #"auth_callbacks_total{outcome="signed_in",provider="acme"} 3"#,
                "# HELP auth_metrics_series_dropped Series that were not made because of a limit.",
                "# TYPE auth_metrics_series_dropped counter",
                "auth_metrics_series_dropped_total 0",
                "# HELP process_cpu_seconds CPU time that the process has used.",
                "# TYPE process_cpu_seconds counter",
                "# UNIT process_cpu_seconds seconds",
                "process_cpu_seconds_total 1.5",
                "# EOF",
                "",
            ])
    }

    @Test(arguments: ExpositionFormat.allCases)
    func `a timer is a histogram of seconds, each bucket with those below it`(format: ExpositionFormat) {
        let timer = Timer(label: "work", dimensions: [("step", "token")], factory: metrics)
        timer.recordMicroseconds(500)
        timer.recordMilliseconds(2)
        timer.recordSeconds(20)
        let below: [(String, Int)] = [
            ("0.0005", 1), ("0.001", 1), ("0.0025", 2), ("0.005", 2), ("0.01", 2), ("0.025", 2), ("0.05", 2),
            ("0.1", 2),
            ("0.25", 2), ("0.5", 2), ("1.0", 2), ("2.5", 2), ("5.0", 2), ("10.0", 2), ("15.0", 2), ("+Inf", 3),
        ]
        let lines = text(format).filter { $0.hasPrefix("work") }
        #expect(
            lines == below.map { #"work_seconds_bucket{step="token",le="\#($0.0)"} \#($0.1)"# } + [
                #"work_seconds_sum{step="token"} 20.0025"#, #"work_seconds_count{step="token"} 3"#,
            ])
        #expect(text(format).contains("# TYPE work_seconds histogram"))
        #expect(text(format).contains("# UNIT work_seconds seconds") == false)
    }

    @Test func `the text does not depend on the order in which series were made`() {
        let other = PrometheusMetrics(logger: WarningRecorder().logger)
        let names = (0..<50).map { ("n\($0)", [("a", "\($0 % 7)"), ("b", "\($0)")]) }
        for (name, labels) in names { Counter(label: name, dimensions: labels, factory: metrics).increment() }
        for (name, labels) in names.reversed() {
            Counter(label: name, dimensions: labels.reversed(), factory: other).increment()
        }
        #expect(metrics.exposition(.prometheus, scraped: []) == other.exposition(.prometheus, scraped: []))
    }

    @Test func `numbers that are none, and large ones`() {
        let samples = [Double.nan, .infinity, -.infinity, 1e300, 9_007_199_254_740_992, -3, -0.0].enumerated().map {
            MetricSample("v\($0.offset)", [], $0.element)
        }
        #expect(
            text(.prometheus, samples).filter { $0.hasPrefix("v") }
                == ["v0 NaN", "v1 +Inf", "v2 -Inf", "v3 1e+300", "v4 9007199254740992", "v5 -3", "v6 0"])
    }

    @Test func `a value that is kept counts, not one that is read; and one of another type is left out`() {
        Gauge(label: "g", factory: metrics).record(1)
        let scraped = [
            MetricSample("g", [], 2), MetricSample("g", [("a", "b")], 3), MetricSample("g", [], 4, isCounter: true),
            MetricSample("h", [], 5), MetricSample("h", [], 6), MetricSample("h_total", [], 7),
            MetricSample("h", [("c", "d")], 8, isCounter: true),
        ]
        let lines = text(.prometheus, scraped).filter { $0.hasPrefix("g") || $0.hasPrefix("h") }
        #expect(lines == ["g 1", #"g{a="b"} 3"#, "h 5", "h_total 7"])
    }
}
