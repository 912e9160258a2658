// SPDX-License-Identifier: Apache-2.0

/// A distribution of latencies in a result file, in milliseconds.
package struct LatencySummary: Sendable, Hashable, Codable {
    /// A point of the distribution's curve.
    package struct Point: Sendable, Hashable, Codable {
        /// The percentile, 0 to 100.
        package var percentile: Double
        /// The latency that this share does not exceed, in milliseconds.
        package var milliseconds: Double

        /// Creates a point.
        package init(percentile: Double, milliseconds: Double) {
            self.percentile = percentile
            self.milliseconds = milliseconds
        }
    }

    /// The number of latencies.
    package var count: UInt64
    /// The mean.
    package var mean: Double
    /// The median.
    package var p50: Double
    /// The 90th percentile.
    package var p90: Double
    /// The 99th percentile.
    package var p99: Double
    /// The 99.9th percentile.
    package var p999: Double
    /// The maximum.
    package var maximum: Double
    /// The whole distribution, denser toward 100 %.
    package var curve: [Point]

    /// Creates the summary of a histogram of nanoseconds.
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
    /// The number of sign-ins.
    package var count: UInt64
    /// The median of whole sign-ins in milliseconds; 0 if there was none.
    package var p50: Double
    /// The 99th percentile in milliseconds.
    package var p99: Double
    /// The maximum in milliseconds.
    package var maximum: Double

    /// Creates the summary of a second.
    package init(_ histogram: HdrHistogram) {
        count = histogram.count
        p50 = Double(histogram.value(atPercentile: 50)) / 1_000_000
        p99 = Double(histogram.value(atPercentile: 99)) / 1_000_000
        maximum = Double(histogram.maximum) / 1_000_000
    }
}
