// SPDX-License-Identifier: Apache-2.0

/// A figure over some rounds: the middle one, and between what those around it lie.
package struct MedianRange: Sendable, Hashable {
    /// The median.
    package let median: Double
    /// The smallest without the lowest quarter; of fewer than four the smallest.
    package let least: Double
    /// The largest without the highest quarter; of fewer than four the largest.
    package let most: Double
    /// How many there were.
    package let count: Int

    /// Of some values; nil of none.
    package init?(_ values: [Double]) {
        let sorted = values.filter(\.isFinite).sorted()
        let outer = sorted.count / 4
        guard let median = Statistics.median(sorted), let least = sorted.dropFirst(outer).first,
            let most = sorted.dropLast(outer).last
        else { return nil }
        self.median = median
        self.least = least
        self.most = most
        count = sorted.count
    }

    /// `0.44 (0.42..0.45)` of ratios; the median alone of a single value.
    package var ratioText: String {
        let middle = Figure.fixed(median, 2)
        return count > 1 ? "\(middle) (\(Figure.fixed(least, 2))..\(Figure.fixed(most, 2)))" : middle
    }

    /// `30.9..32.2`, the two ends alone; empty of a single value.
    package var endsText: String {
        count > 1 ? "\(Figure.significant(least))..\(Figure.significant(most))" : ""
    }
}
