// SPDX-License-Identifier: Apache-2.0

/// A family of metrics: what its type is, and what operators read about it.
package struct MetricFamily: Sendable, Hashable {
    /// The type of a family.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A number that only grows, until the process ends. Its samples end in `_total`.
        case counter
        /// A number that goes up and down.
        case gauge
        /// Durations or other numbers, counted in fixed buckets.
        case histogram

        /// The lines that are written of one series: of a histogram those of its buckets, its sum and its count.
        var lines: Int {
            switch self {
            case .counter, .gauge: 1
            case .histogram: HistogramSeries.bounds.count + 3
            }
        }
    }

    /// The name, for a counter without `_total`.
    package let name: String
    /// The type.
    package let kind: Kind
    /// What it counts or measures: one sentence.
    package let help: String

    /// Creates a family.
    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// The unit, which is the end of the name; `nil` if there is none.
    package var unit: String? {
        ["seconds", "bytes", "ratio"].first { name.hasSuffix("_" + $0) }
    }

    /// The names that samples of the family have, and the family itself. No other family may have one of them.
    var claimedNames: [String] { Self.claimedNames(of: name, kind) }

    /// The names that samples of a family have, and the family itself.
    static func claimedNames(of name: String, _ kind: Kind) -> [String] {
        switch kind {
        case .counter: [name, name + "_total"]
        case .gauge: [name]
        case .histogram: [name, name + "_bucket", name + "_sum", name + "_count"]
        }
    }

    /// Returns the name of the family of a label of swift-metrics.
    /// - Parameter isTimer: Whether values are times, which are written in seconds.
    static func name(ofLabel label: String, _ kind: Kind, isTimer: Bool = false) -> String {
        let name = MetricText.metricName(label)
        switch kind {
        case .counter: return name.hasSuffix("_total") && name != "_total" ? String(name.dropLast(6)) : name
        case .gauge: return name
        case .histogram: return isTimer && !name.hasSuffix("_seconds") ? name + "_seconds" : name
        }
    }
}
