// SPDX-License-Identifier: Apache-2.0

/// The events of a short interval, whether or not they count.
package struct IntervalSummary: Sendable, Hashable {
    /// The number of verified sign-ins.
    package var verified: UInt64 = 0
    /// The number of failed sign-ins.
    package var errors: UInt64 = 0
    /// The durations of the verified ones in nanoseconds, with two digits.
    package var latencies = HdrHistogram(significantDigits: 2)

    /// Creates an empty summary.
    package init() {}

    /// Records a verified sign-in of this duration in nanoseconds.
    package mutating func record(_ latency: Int64) {
        verified += 1
        latencies.record(latency)
    }

    /// Adds another summary.
    package mutating func merge(_ other: IntervalSummary) {
        verified += other.verified
        errors += other.errors
        latencies.add(other.latencies)
    }
}
