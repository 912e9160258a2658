// SPDX-License-Identifier: Apache-2.0

/// The time that counts, between warming up and winding down; nanoseconds of a monotonic clock.
package struct MeasurementWindow: Sendable, Hashable {
    /// Its first instant.
    package let begin: Int64
    /// The first instant after it.
    package let end: Int64

    /// A window; empty where the end is not after the begin.
    package init(begin: Int64, end: Int64) {
        self.begin = begin
        self.end = max(begin, end)
    }

    /// How long it is.
    package var seconds: Double { Double(end - begin) / 1_000_000_000 }

    /// Whether an instant lies in it.
    package func contains(_ time: Int64) -> Bool { time >= begin && time < end }

    /// The whole seconds from the begin to an instant; nil outside.
    package func second(of time: Int64) -> Int? {
        contains(time) ? Int((time - begin) / 1_000_000_000) : nil
    }
}
