// SPDX-License-Identifier: Apache-2.0

/// A distribution of latencies as a result file keeps it; milliseconds.
package struct LatencySummary: Sendable, Hashable, Codable {
    /// A point of the distribution's curve.
    package struct Point: Sendable, Hashable, Codable {
        /// 0 to 100.
        package var percentile: Double
        /// The latency that this share does not exceed, milliseconds.
        package var milliseconds: Double

        /// A point.
        package init(percentile: Double, milliseconds: Double) {
            self.percentile = percentile
            self.milliseconds = milliseconds
        }
    }

    /// How many there were.
    package var count: UInt64
    /// Their mean.
    package var mean: Double
    /// The median.
    package var p50: Double
    /// What nine in ten do not exceed.
    package var p90: Double
    /// What 99 in 100 do not exceed.
    package var p99: Double
    /// What 999 in 1,000 do not exceed.
    package var p999: Double
    /// The longest.
    package var maximum: Double
    /// The whole distribution, denser toward 100 %.
    package var curve: [Point]

    /// Sums a histogram of nanoseconds up.
    package init(_ histogram: HdrHistogram) {
        func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1_000_000 }
        count = histogram.count
        mean = histogram.mean / 1_000_000
        p50 = milliseconds(histogram.value(atPercentile: 50))
        p90 = milliseconds(histogram.value(atPercentile: 90))
        p99 = milliseconds(histogram.value(atPercentile: 99))
        p999 = milliseconds(histogram.value(atPercentile: 99.9))
        maximum = milliseconds(histogram.maximum)
        curve = histogram.percentileCurve().map {
            Point(percentile: $0.percentile, milliseconds: milliseconds($0.value))
        }
    }
}

/// One second of a measurement.
package struct SecondSummary: Sendable, Hashable, Codable {
    /// Sign-ins.
    package var count: UInt64
    /// The median of whole sign-ins, milliseconds; 0 where there was none.
    package var p50: Double
    /// What 99 in 100 do not exceed, milliseconds.
    package var p99: Double
    /// The longest, milliseconds.
    package var maximum: Double

    /// Sums one second up.
    package init(_ histogram: HdrHistogram) {
        count = histogram.count
        p50 = Double(histogram.value(atPercentile: 50)) / 1_000_000
        p99 = Double(histogram.value(atPercentile: 99)) / 1_000_000
        maximum = Double(histogram.maximum) / 1_000_000
    }
}
