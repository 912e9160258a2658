// SPDX-License-Identifier: Apache-2.0

/// A comparison of two results: for each target, load and figure, the ratio and its possible noise.
package struct Comparison: Sendable, Hashable {
    /// The meaning of a ratio.
    package enum Verdict: String, Sendable, Hashable {
        /// Better by more than the noise.
        case better
        /// Worse by more than the noise.
        case worse
        /// The difference is not larger than that of repetitions.
        case withinNoise = "within noise"
        /// The noise is unknown.
        case unknown = "?"
    }

    /// One figure.
    package struct Row: Sendable, Hashable {
        /// The target.
        package let target: String
        /// The load.
        package let shape: LoadShape
        /// The figure.
        package let metric: Metric
        /// The median in the first result.
        package let before: Double
        /// The median in the second result.
        package let after: Double
        /// The ratio of the second to the first; `nil` if the first is zero.
        package let ratio: Double?
        /// The possible error of the ratio, as a share of one; `nil` if it is unknown.
        package let noise: Double?
        /// The resulting verdict.
        package let verdict: Verdict
    }

    /// The figures in both results.
    package let rows: [Row]
    /// The measurements that only the first result has.
    package let onlyBefore: [MeasuredRun.Key]
    /// The measurements that only the second result has.
    package let onlyAfter: [MeasuredRun.Key]

    /// Compares two results.
    package init(before: [MeasuredRun], after: [MeasuredRun]) {
        let first = Dictionary(grouping: before, by: \.key)
        let second = Dictionary(grouping: after, by: \.key)
        let keys = Self.ordered(before.map(\.key) + after.map(\.key))
        var rows: [Row] = []
        for key in keys {
            guard let left = first[key], let right = second[key] else { continue }
            for metric in Metric.allCases {
                if let row = Self.row(metric, key, left, right) { rows.append(row) }
            }
        }
        self.rows = rows
        onlyBefore = keys.filter { second[$0] == nil }
        onlyAfter = keys.filter { first[$0] == nil }
    }

    /// The noise of a ratio, from that of both sides, which are independent. It is computed from the spread over the
    /// rounds if there are several, otherwise from the seconds of the single measurement.
    package static func noise(_ metric: Metric, _ left: [MeasuredRun], _ right: [MeasuredRun]) -> Double? {
        guard let one = noise(metric, left), let other = noise(metric, right) else { return nil }
        return (one * one + other * other).squareRoot()
    }

    private static func noise(_ metric: Metric, _ runs: [MeasuredRun]) -> Double? {
        let values = runs.compactMap { metric.value(in: $0) }
        if let spread = Statistics.relativeSpread(values) { return spread }
        return runs.count == 1 ? metric.ownError(in: runs[0]) : nil
    }

    private static func row(
        _ metric: Metric, _ key: MeasuredRun.Key, _ left: [MeasuredRun], _ right: [MeasuredRun]
    ) -> Row? {
        guard let before = Statistics.median(left.compactMap { metric.value(in: $0) }),
            let after = Statistics.median(right.compactMap { metric.value(in: $0) })
        else { return nil }
        let ratio = before > 0 ? after / before : nil
        let spread = noise(metric, left, right)
        return Row(
            target: key.target, shape: key.shape, metric: metric, before: before, after: after, ratio: ratio,
            noise: spread, verdict: verdict(ratio, spread, isBetterHigher: metric.isBetterHigher))
    }

    private static func verdict(_ ratio: Double?, _ noise: Double?, isBetterHigher: Bool) -> Verdict {
        guard let ratio, let noise else { return .unknown }
        guard (ratio - 1).magnitude > noise else { return .withinNoise }
        return (ratio > 1) == isBetterHigher ? .better : .worse
    }

    private static func ordered(_ keys: [MeasuredRun.Key]) -> [MeasuredRun.Key] {
        var seen: Set<MeasuredRun.Key> = []
        return keys.filter { seen.insert($0).inserted }
    }
}

extension Comparison {
    /// The table for a terminal.
    package var text: String {
        var lines: [String] = []
        var place: MeasuredRun.Key?
        var table = TextTable([.left("figure"), .right("A"), .right("B"), .right("B/A"), .right("noise"), .left("")])
        func flush() {
            if let place { lines += ["", "\(place.target): \(place.shape.title)", table.text] }
            table.removeRows()
        }
        for row in rows {
            let key = MeasuredRun.Key(target: row.target, shape: row.shape)
            if key != place {
                flush()
                place = key
            }
            table.add([
                row.metric.rawValue, Figure.significant(row.before), Figure.significant(row.after),
                row.ratio.map { Figure.fixed($0, 3) } ?? "-", row.noise.map { "± " + Figure.percent($0) } ?? "?",
                row.verdict.rawValue,
            ])
        }
        flush()
        for key in onlyBefore { lines += ["", "only in A: \(key.target): \(key.shape.title)"] }
        for key in onlyAfter { lines += ["", "only in B: \(key.target): \(key.shape.title)"] }
        if rows.isEmpty { lines += ["", "Nothing in A was also measured in B."] }
        return lines.dropFirst().joined(separator: "\n")
    }
}
