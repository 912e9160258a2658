// SPDX-License-Identifier: Apache-2.0

import Metrics
import Synchronization

/// A histogram with fixed buckets from 0.5 ms to 15 s, which is the time that a callback may take.
final class HistogramSeries: TimerHandler, RecorderHandler {
    /// The upper bounds of the buckets, in seconds. One more bucket holds the rest.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

    /// The values so far.
    struct Values: Sendable, Equatable {
        /// The number of values in each bucket alone, the last being those above every bound.
        var counts = [UInt64](repeating: 0, count: HistogramSeries.bounds.count + 1)
        /// The sum of all values.
        var sum = 0.0
    }

    let identity: SeriesIdentity
    /// A lock and not an atomic number for each bucket: a scrape must not see a value in its bucket and not in the sum.
    /// The lock is held for an addition.
    private let state = Mutex(Values())

    init(_ identity: SeriesIdentity) {
        self.identity = identity
    }

    /// The values so far.
    var values: Values { state.withLock { $0 } }

    func recordNanoseconds(_ duration: Int64) { record(Double(max(0, duration)) / 1_000_000_000) }

    func record(_ value: Int64) { record(Double(value)) }

    /// Counts a value. One that is no number would make the sum useless from then on, and is not counted.
    func record(_ value: Double) {
        guard value.isFinite else { return }
        let bucket = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        state.withLock { values in
            values.counts[bucket] &+= 1
            values.sum += value
        }
    }
}
