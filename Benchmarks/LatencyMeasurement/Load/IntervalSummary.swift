// SPDX-License-Identifier: Apache-2.0

/// What happened in a short time, whether or not it counts.
package struct IntervalSummary: Sendable, Hashable {
    /// Verified sign-ins.
    package var verified: UInt64 = 0
    /// Sign-ins that came to nothing.
    package var errors: UInt64 = 0
    /// How long the verified ones took, nanoseconds; two digits.
    package var latencies = HdrHistogram(significantDigits: 2)

    /// Nothing happened.
    package init() {}

    mutating func record(_ latency: Int64) {
        verified += 1
        latencies.record(latency)
    }

    /// Adds what happened elsewhere.
    package mutating func merge(_ other: IntervalSummary) {
        verified += other.verified
        errors += other.errors
        latencies.add(other.latencies)
    }
}
