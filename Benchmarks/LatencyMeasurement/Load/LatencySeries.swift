// SPDX-License-Identifier: Apache-2.0

/// The latencies of each second, with two digits.
package struct LatencySeries: Sendable, Hashable {
    /// A histogram for each second, in nanoseconds.
    package private(set) var seconds: [HdrHistogram]

    /// Creates a series of empty seconds, at most a day.
    package init(seconds count: Int) {
        seconds = Array(repeating: HdrHistogram(significantDigits: 2), count: min(max(count, 0), 86_400))
    }

    /// Records a latency. One outside the series is ignored.
    package mutating func record(_ latency: Int64, second: Int) {
        guard seconds.indices.contains(second) else { return }
        seconds[second].record(latency)
    }

    /// Adds a series of the same window.
    package mutating func merge(_ other: LatencySeries) {
        for (second, histogram) in other.seconds.enumerated() where seconds.indices.contains(second) {
            seconds[second].add(histogram)
        }
    }
}
