// SPDX-License-Identifier: Apache-2.0

/// Latencies by the second, two digits each.
package struct LatencySeries: Sendable, Hashable {
    /// One histogram for each second, nanoseconds.
    package private(set) var seconds: [HdrHistogram]

    /// A number of empty seconds; at most a day's.
    package init(seconds count: Int) {
        seconds = Array(repeating: HdrHistogram(significantDigits: 2), count: min(max(count, 0), 86_400))
    }

    /// Counts a latency; one outside the series is left out.
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
