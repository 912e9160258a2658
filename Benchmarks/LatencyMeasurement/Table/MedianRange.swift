// SPDX-License-Identifier: Apache-2.0

/// The median of a figure over some rounds, and the range around it.
package struct MedianRange: Sendable, Hashable {
    /// The median.
    package let median: Double
    /// The smallest value without the lowest quarter; of fewer than four values the smallest.
    package let least: Double
    /// The largest value without the highest quarter; of fewer than four values the largest.
    package let most: Double
    /// The number of values.
    package let count: Int

    /// Creates a range from values; `nil` if there are none.
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

    /// A ratio like `0.44 (0.42..0.45)`, or only the median of a single value.
    package var ratioText: String {
        let middle = Figure.fixed(median, 2)
        return count > 1 ? "\(middle) (\(Figure.fixed(least, 2))..\(Figure.fixed(most, 2)))" : middle
    }

    /// The ends of the range like `30.9..32.2`; empty for a single value.
    package var endsText: String {
        count > 1 ? "\(Figure.significant(least))..\(Figure.significant(most))" : ""
    }
}
