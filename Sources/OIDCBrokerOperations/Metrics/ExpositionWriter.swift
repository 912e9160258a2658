// SPDX-License-Identifier: Apache-2.0

/// A writer of one text: Prometheus 0.0.4 or OpenMetrics 1.0. It writes what it is told, in that order.
struct ExpositionWriter {
    private let format: ExpositionFormat
    private var bytes: [UInt8] = []
    private var name = ""
    private var suffix = ""

    /// The bounds of the buckets as they are written. OpenMetrics requires a fraction, and a scraper that changes the
    /// format must not see other series.
    private static let bounds = HistogramSeries.bounds.map { "\($0)" } + ["+Inf"]

    init(_ format: ExpositionFormat) {
        self.format = format
    }

    /// Begins a family, with its help, type and unit as far as they are known.
    mutating func begin(_ name: String, _ kind: MetricFamily.Kind) {
        self.name = name
        suffix = kind == .counter ? "_total" : ""
        let known = MetricFamily.family(named: name)
        // In OpenMetrics a family has a name of its own; in the older format it has that of its samples.
        let shown = format == .openMetrics ? name : name + suffix
        if let known, known.kind == kind {
            append("# HELP \(shown) ")
            MetricText.append(help: known.help, escapesQuotes: format == .openMetrics, to: &bytes)
            append("\n")
        }
        append("# TYPE \(shown) \(kind.rawValue)\n")
        if format == .openMetrics, let unit = known?.unit { append("# UNIT \(shown) \(unit)\n") }
    }

    /// Writes the sample of a counter or gauge.
    mutating func write(_ labels: LabelSet, _ value: String) {
        write(suffix, labels, bound: nil, value)
    }

    /// Writes the samples of a histogram: each bucket with those below it.
    mutating func write(_ labels: LabelSet, _ values: HistogramSeries.Values) {
        var count: UInt64 = 0
        for (bound, inBucket) in zip(Self.bounds, values.counts) {
            count &+= inBucket
            write("_bucket", labels, bound: bound, "\(count)")
        }
        write("_sum", labels, bound: nil, MetricText.number(values.sum))
        write("_count", labels, bound: nil, "\(count)")
    }

    /// Returns the text.
    consuming func finish() -> [UInt8] {
        if format == .openMetrics { append("# EOF\n") }
        return bytes
    }

    private mutating func write(_ suffix: String, _ labels: LabelSet, bound: String?, _ value: String) {
        append(name)
        append(suffix)
        if bound != nil || !labels.bytes.isEmpty {
            append("{")
            bytes.append(contentsOf: labels.bytes)
            if let bound {
                if !labels.bytes.isEmpty { append(",") }
                append("le=\"\(bound)\"")
            }
            append("}")
        }
        append(" \(value)\n")
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
