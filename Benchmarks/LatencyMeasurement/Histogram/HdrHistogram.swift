// SPDX-License-Identifier: Apache-2.0

/// A histogram in buckets whose width grows with the value, so that every value keeps the same number of significant
/// digits (Gil Tene's High Dynamic Range histogram).
///
/// Recording takes constant time; memory grows with the largest recorded value, not with the number of values.
/// ``significantDigits`` decimal digits are kept at any magnitude: with three, 1,234,567 is known to 1,000.
package struct HdrHistogram: Sendable, Hashable {
    /// The smallest difference that is kept. Values below it are not distinguished.
    package let lowestDiscernibleValue: Int64
    /// The largest value that is kept. A larger one is counted as this one, and in ``clampedCount``.
    package let highestTrackableValue: Int64
    /// The number of decimal digits of a value that are kept, 1 to 5.
    package let significantDigits: Int

    /// The number of recorded values.
    package private(set) var count: UInt64 = 0
    /// The number of recorded values that were negative or above ``highestTrackableValue``.
    package private(set) var clampedCount: UInt64 = 0

    /// Values below 2^unitMagnitude share a bucket.
    private let unitMagnitude: Int
    /// The number of steps, as a power of two, in each further bucket, which covers twice the range of the one before.
    private let halfCountMagnitude: Int
    /// The mask of the values in the first bucket.
    private let firstBucketMask: UInt64
    private let leadingZeroBase: Int
    private var counts: [UInt64] = []
    private var sum = 0.0
    private var smallest = Int64.max
    private var largest: Int64 = 0

    /// Creates an empty histogram. In nanoseconds, the defaults cover one nanosecond to one hour.
    ///
    /// - Parameters:
    ///   - lowestDiscernibleValue: At least 1; a smaller one acts as 1.
    ///   - highestTrackableValue: At least twice the lowest; a smaller one acts as that.
    ///   - significantDigits: 1 to 5; others act as the nearest of those.
    package init(
        lowestDiscernibleValue: Int64 = 1,
        highestTrackableValue: Int64 = 3_600_000_000_000,
        significantDigits: Int = 3
    ) {
        let lowest = min(max(lowestDiscernibleValue, 1), Int64.max / 4)
        let digits = min(max(significantDigits, 1), 5)
        self.lowestDiscernibleValue = lowest
        self.highestTrackableValue = max(highestTrackableValue, 2 * lowest)
        self.significantDigits = digits
        var needed: UInt64 = 2
        for _ in 0..<digits { needed *= 10 }
        let countMagnitude = UInt64.bitWidth - (needed - 1).leadingZeroBitCount
        halfCountMagnitude = countMagnitude - 1
        unitMagnitude = Int64.bitWidth - 1 - lowest.leadingZeroBitCount
        firstBucketMask = ((UInt64(1) << UInt64(countMagnitude)) - 1) << UInt64(unitMagnitude)
        leadingZeroBase = UInt64.bitWidth - unitMagnitude - countMagnitude
    }

    // MARK: Recording

    /// Counts a value.
    package mutating func record(_ value: Int64, times: UInt64 = 1) {
        guard times > 0 else { return }
        let kept = min(max(value, 0), highestTrackableValue)
        if kept != value { clampedCount += times }
        let position = index(of: kept)
        if position >= counts.count { grow(toHold: position) }
        counts[position] += times
        count += times
        sum += Double(kept) * Double(times)
        smallest = min(smallest, kept)
        largest = max(largest, kept)
    }

    /// Adds the values of another histogram, with the precision of this one if they differ.
    package mutating func add(_ other: HdrHistogram) {
        guard other.count > 0 else { return }
        guard other.isKept(like: self) else { return addRounded(other) }
        if other.counts.count > counts.count { grow(toHold: other.counts.count - 1) }
        for (position, times) in other.counts.enumerated() { counts[position] += times }
        count += other.count
        clampedCount += other.clampedCount
        sum += other.sum
        smallest = min(smallest, other.smallest)
        largest = max(largest, other.largest)
    }

    /// Adds the middle of each bucket. The smallest and the largest value stay exact.
    private mutating func addRounded(_ other: HdrHistogram) {
        for (position, times) in other.counts.enumerated() where times > 0 {
            let middle = other.midpoint(of: other.value(at: position))
            record(min(max(middle, other.smallest), other.largest), times: times)
        }
        clampedCount += other.clampedCount
        smallest = min(smallest, other.smallest)
        largest = max(largest, min(other.largest, highestTrackableValue))
    }

    private func isKept(like other: HdrHistogram) -> Bool {
        unitMagnitude == other.unitMagnitude && halfCountMagnitude == other.halfCountMagnitude
            && highestTrackableValue == other.highestTrackableValue
    }

    // MARK: Reading

    /// The exact smallest value; 0 if there is none.
    package var minimum: Int64 { count == 0 ? 0 : smallest }

    /// The exact largest value; 0 if there is none.
    package var maximum: Int64 { largest }

    /// The mean of the values; 0 if there is none.
    package var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// The value that the given share of all values does not exceed, within the histogram's precision.
    ///
    /// - Parameter percentile: 0 to 100; other values are clamped.
    /// - Returns: The largest value equivalent to the one found, at most ``maximum``; 0 if nothing was recorded.
    package func value(atPercentile percentile: Double) -> Int64 {
        guard count > 0 else { return 0 }
        // One step down, so that 99.9 % of 1,000 is 999 although 99.9 has no exact binary representation.
        let share = min(max(percentile, 0), 100).nextDown / 100
        let exact = min(max((share * Double(count)).rounded(.up), 1), Double(count))
        guard let position = position(ofValue: UInt64(exact)) else { return largest }
        return min(highestEquivalent(of: value(at: position)), largest)
    }

    /// The position at which the value with this rank, counted from 1 in ascending order, is counted. It works on the
    /// buffer, because with five digits there are millions of buckets, which iterators walk slowly in a debug build.
    private func position(ofValue rank: UInt64) -> Int? {
        counts.withUnsafeBufferPointer { counts in
            var seen: UInt64 = 0
            var position = 0
            while position < counts.count {
                seen += counts[position]
                if seen >= rank { return position }
                position += 1
            }
            return nil
        }
    }

    /// The number of values that are at most this one, within the histogram's precision.
    package func count(upTo value: Int64) -> UInt64 {
        guard value >= 0 else { return 0 }
        let last = index(of: min(value, highestTrackableValue))
        return counts.prefix(last + 1).reduce(0, +)
    }

    /// Whether two values are counted in the same place.
    package func areEquivalent(_ left: Int64, _ right: Int64) -> Bool {
        guard left >= 0, right >= 0, left <= highestTrackableValue, right <= highestTrackableValue else {
            return left == right
        }
        return index(of: left) == index(of: right)
    }

    /// A point of the curve of ``percentileCurve(stepsPerHalving:)``.
    package struct Point: Sendable, Hashable {
        /// The percentile, 0 to 100.
        package let percentile: Double
        /// The value that this share of all values does not exceed.
        package let value: Int64
    }

    /// The distribution as a curve whose points become denser toward the 100th percentile.
    ///
    /// - Parameter stepsPerHalving: The number of points until the distance to 100 % has halved.
    package func percentileCurve(stepsPerHalving: Int = 5) -> [Point] {
        guard count > 0 else { return [] }
        let steps = Double(max(stepsPerHalving, 1))
        var points: [Point] = []
        var percentile = 0.0
        // There is nothing between the last values, so finer steps would only repeat the maximum.
        while percentile < 100 * (1 - 1 / Double(count)) {
            points.append(Point(percentile: percentile, value: value(atPercentile: percentile)))
            var halving = 2.0
            while 100 - percentile <= 100 / halving { halving *= 2 }
            percentile += 100 / (steps * halving)
        }
        points.append(Point(percentile: 100, value: maximum))
        return points
    }

    // MARK: Buckets

    private func bucket(of value: Int64) -> Int {
        leadingZeroBase - (UInt64(value) | firstBucketMask).leadingZeroBitCount
    }

    private func index(of value: Int64) -> Int {
        let level = bucket(of: value)
        let step = Int(value &>> Int64(level + unitMagnitude))
        return ((level + 1) << halfCountMagnitude) + step - (1 << halfCountMagnitude)
    }

    /// The smallest value that is counted at an index.
    private func value(at index: Int) -> Int64 {
        let half = 1 << halfCountMagnitude
        var level = (index >> halfCountMagnitude) - 1
        var step = (index & (half - 1)) + half
        if level < 0 {
            step -= half
            level = 0
        }
        return Int64(step) &<< Int64(level + unitMagnitude)
    }

    private func width(at value: Int64) -> Int64 { 1 &<< Int64(bucket(of: value) + unitMagnitude) }

    private func highestEquivalent(of value: Int64) -> Int64 { value + (width(at: value) - 1) }

    private func midpoint(of value: Int64) -> Int64 { value + width(at: value) / 2 }

    private mutating func grow(toHold index: Int) {
        let half = 1 << halfCountMagnitude
        let needed = (index / half + 1) * half
        counts.append(contentsOf: repeatElement(0, count: needed - counts.count))
    }
}
