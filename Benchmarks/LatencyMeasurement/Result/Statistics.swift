// SPDX-License-Identifier: Apache-2.0

/// Statistics of a few repeated figures.
package enum Statistics {
    /// The median, for an even number the mean of the two in the middle; `nil` if there are no values.
    package static func median(_ values: [Double]) -> Double? {
        let sorted = values.filter(\.isFinite).sorted()
        guard !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// Half of the range relative to the median: the deviation of a repetition from the middle. `nil` for fewer than
    /// two values, and around zero.
    package static func relativeSpread(_ values: [Double]) -> Double? {
        let finite = values.filter(\.isFinite)
        guard finite.count > 1, let least = finite.min(), let most = finite.max(), let middle = median(finite),
            middle > 0
        else { return nil }
        return (most - least) / 2 / middle
    }

    /// Twice the standard error of the mean relative to it: the possible error of a mean of such figures. `nil` for
    /// fewer than three values, and around zero.
    package static func relativeError(_ values: [Double]) -> Double? {
        let finite = values.filter(\.isFinite)
        guard finite.count > 2 else { return nil }
        let count = Double(finite.count)
        let mean = finite.reduce(0, +) / count
        guard mean > 0 else { return nil }
        let variance = finite.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        return 2 * (variance / count).squareRoot() / mean
    }
}
