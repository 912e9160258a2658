// SPDX-License-Identifier: Apache-2.0

/// The time that counts, between warm-up and wind-down, in nanoseconds of a monotonic clock.
package struct MeasurementWindow: Sendable, Hashable {
    /// The first instant of the window.
    package let begin: Int64
    /// The first instant after the window.
    package let end: Int64

    /// Creates a window, which is empty if the end is not after the beginning.
    package init(begin: Int64, end: Int64) {
        self.begin = begin
        self.end = max(begin, end)
    }

    /// The length of the window in seconds.
    package var seconds: Double { Double(end - begin) / 1_000_000_000 }

    /// Whether an instant is in the window.
    package func contains(_ time: Int64) -> Bool { time >= begin && time < end }

    /// The whole seconds from the beginning to an instant; `nil` outside the window.
    package func second(of time: Int64) -> Int? {
        contains(time) ? Int((time - begin) / 1_000_000_000) : nil
    }
}
