// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Metrics
import Testing

@testable import OIDCBrokerOperations

/// The series themselves: what counts, how many there may be, and what becomes of them.
@Suite struct SeriesTests {
    private let log = WarningRecorder()

    private func line(_ prefix: String, of metrics: PrometheusMetrics) -> String? {
        String(decoding: metrics.exposition(.prometheus, scraped: []), as: UTF8.self)
            .split(separator: "\n").first { $0.hasPrefix(prefix) }.map { String($0) }
    }

    @Test func `20,000 series at most, then one warning, and a counter`() {
        let metrics = PrometheusMetrics(logger: log.logger)
        for number in 0..<PrometheusMetrics.maximumSeries {
            Counter(label: "c", dimensions: [("n", "\(number)")], factory: metrics).increment()
        }
        #expect(metrics.droppedSeries == 0)
        #expect(log.lines.isEmpty)
        for number in 0..<3 {
            Counter(label: "c", dimensions: [("more", "\(number)")], factory: metrics).increment()
        }
        Timer(label: "t", factory: metrics).recordSeconds(1)
        #expect(line("auth_metrics_series_dropped_total", of: metrics) == "auth_metrics_series_dropped_total 4")
        #expect(log.lines.count == 1)
        // Those that are there go on.
        Counter(label: "c", dimensions: [("n", "7")], factory: metrics).increment()
        #expect(line("c_total{n=\"7\"}", of: metrics) == "c_total{n=\"7\"} 2")
    }

    @Test func `a histogram is as many series as it has lines`() {
        let lines = HistogramSeries.bounds.count + 3
        let metrics = PrometheusMetrics(logger: log.logger, capacity: lines)
        Timer(label: "t", factory: metrics).recordSeconds(1)
        #expect(metrics.droppedSeries == 0)
        let written = String(decoding: metrics.exposition(.prometheus, scraped: []), as: UTF8.self)
            .split(separator: "\n").filter { $0.hasPrefix("t_seconds") }
        #expect(written.count == lines)
        Counter(label: "c", factory: metrics).increment()
        #expect(metrics.droppedSeries == 1)
        // What it leaves behind is room for as many others, but not for another one and a counter.
        let timer = Timer(label: "t", factory: metrics)
        timer.destroy()
        Counter(label: "c", factory: metrics).increment()
        Timer(label: "t", factory: metrics).recordSeconds(1)
        #expect(metrics.droppedSeries == 2)
        for number in 1..<lines { Counter(label: "c", dimensions: [("n", "\(number)")], factory: metrics).increment() }
        #expect(metrics.droppedSeries == 2)
        Counter(label: "c", dimensions: [("n", "0")], factory: metrics).increment()
        #expect(metrics.droppedSeries == 3)
    }

    @Test func `one that is destroyed makes room, and begins anew`() {
        let metrics = PrometheusMetrics(logger: log.logger, capacity: 1)
        let first = Counter(label: "first", factory: metrics)
        first.increment(by: 5)
        first.destroy()
        #expect(line("first", of: metrics) == nil)
        // The name is free again, for another type as well.
        let gauge = Gauge(label: "first", factory: metrics)
        gauge.record(2)
        #expect(line("first", of: metrics) == "first 2")
        // What was destroyed already takes nothing away.
        first.destroy()
        #expect(line("first", of: metrics) == "first 2")
        gauge.destroy()
        Meter(label: "other", factory: metrics).set(3)
        #expect(line("other", of: metrics) == "other 3")
        #expect(metrics.droppedSeries == 0)
    }

    @Test func `a counter counts whole numbers and fractions, never down and never past the end`() {
        let metrics = PrometheusMetrics(logger: log.logger)
        let counter = Counter(label: "c", factory: metrics)
        let fractions = FloatingPointCounter(label: "c", factory: metrics)
        counter.increment(by: 2)
        counter.increment(by: -1)
        for amount in [0.5, -3, .nan, .infinity] { fractions.increment(by: amount) }
        #expect(line("c_total", of: metrics) == "c_total 2.5")
        counter.reset()
        #expect(line("c_total", of: metrics) == "c_total 0")
        for _ in 0..<2 { counter.increment(by: Int64.max) }
        #expect(line("c_total", of: metrics) == "c_total \(Int64.max)")
    }

    @Test func `a meter goes up and down, and a recorder without aggregation keeps the last value`() {
        let metrics = PrometheusMetrics(logger: log.logger)
        let meter = Meter(label: "m", factory: metrics)
        meter.set(5)
        meter.increment(by: 1.5)
        meter.decrement(by: 3.0)
        meter.increment(by: Double.nan)
        #expect(line("m", of: metrics) == "m 3.5")
        let recorder = Recorder(label: "r", aggregate: false, factory: metrics)
        recorder.record(1)
        recorder.record(-2.25)
        #expect(line("r", of: metrics) == "r -2.25")
    }

    @Test func `a histogram counts at its bounds, and what is no number not at all`() throws {
        let metrics = PrometheusMetrics(logger: log.logger)
        let recorder = Recorder(label: "h", factory: metrics)
        for bound in HistogramSeries.bounds { recorder.record(bound) }
        for value in [Double.nan, .infinity, -.infinity] { recorder.record(value) }
        Timer(label: "t", factory: metrics).recordNanoseconds(-5)
        let handler = metrics.makeRecorder(label: "h", dimensions: [], aggregate: true)
        let series = try #require(handler as? HistogramSeries)
        #expect(series.values.counts == [UInt64](repeating: 1, count: 15) + [0])
        #expect(abs(series.values.sum - HistogramSeries.bounds.reduce(0, +)) < 1e-9)
        #expect(line("t_seconds_sum", of: metrics) == "t_seconds_sum 0")
        #expect(line("t_seconds_bucket{le=\"0.0005\"}", of: metrics) == "t_seconds_bucket{le=\"0.0005\"} 1")
    }

    @Test func `nothing is lost between threads, while others scrape`() {
        let metrics = PrometheusMetrics(logger: log.logger)
        let gauge = Meter(label: "g", factory: metrics)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let timer = Timer(label: "t", factory: metrics)
            for number in 0..<2_000 {
                Counter(label: "c", dimensions: [("n", "\(number % 5)")], factory: metrics).increment()
                FloatingPointCounter(label: "f", factory: metrics).increment(by: 0.5)
                gauge.increment(by: thread.isMultiple(of: 2) ? 1.0 : -1.0)
                if thread.isMultiple(of: 2) { gauge.increment() } else { gauge.decrement() }
                timer.recordMilliseconds(1)
                if number % 500 == 0 { _ = metrics.exposition(.openMetrics, scraped: []) }
            }
        }
        for number in 0..<5 { #expect(line("c_total{n=\"\(number)\"}", of: metrics)?.hasSuffix(" 3200") == true) }
        #expect(line("f_total", of: metrics) == "f_total 8000")
        #expect(line("g ", of: metrics) == "g 0")
        #expect(line("t_seconds_count", of: metrics) == "t_seconds_count 16000")
    }
}
