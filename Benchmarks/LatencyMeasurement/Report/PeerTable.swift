// SPDX-License-Identifier: Apache-2.0

/// Targets beside each other: medians over interleaved rounds, ratios paired within a round.
package struct PeerTable: Sendable {
    /// A column: a figure under one load.
    package struct Column: Sendable, Hashable {
        /// Its head.
        package let title: String
        /// The load; the rate of an open loop is not compared.
        package let shape: LoadShape
        /// The figure.
        package let metric: Metric

        /// A figure under a load.
        package init(title: String, shape: LoadShape, metric: Metric) {
            self.title = title
            self.shape = shape
            self.metric = metric
        }
    }

    private let runs: [MeasuredRun.Key: [MeasuredRun]]
    private let targets: [String]

    /// The table of some measurements; targets in their order.
    package init(_ runs: [MeasuredRun]) {
        self.runs = Dictionary(grouping: runs, by: \.key)
        var seen: Set<String> = []
        targets = runs.map(\.target).filter { seen.insert($0).inserted }
    }

    /// The median of a figure; nil where the target was not measured so.
    package func median(_ column: Column, of target: String) -> Double? {
        Statistics.median(measured(column, of: target).compactMap { column.metric.value(in: $0) })
    }

    /// The median of the ratios to another target, each within one round; nil where they share none.
    package func pairedRatio(_ column: Column, of target: String, to other: String) -> Double? {
        let reference = Dictionary(grouping: measured(column, of: other), by: \.round)
        let ratios = measured(column, of: target).compactMap { run -> Double? in
            guard let mine = column.metric.value(in: run),
                let theirs = reference[run.round]?.compactMap({ column.metric.value(in: $0) }).first, theirs > 0
            else { return nil }
            return mine / theirs
        }
        return Statistics.median(ratios)
    }

    /// The target with the best median among those given.
    package func best(_ column: Column, among candidates: [String]) -> String? {
        let medians = candidates.compactMap { name in median(column, of: name).map { (name: name, value: $0) } }
        let leader =
            column.metric.isBetterHigher
            ? medians.max { $0.value < $1.value } : medians.min { $0.value < $1.value }
        return leader?.name
    }

    /// As Markdown: one row for each target, and one with the ratio of ours to the best peer.
    ///
    /// - Parameters:
    ///   - columns: What is shown.
    ///   - ours: The target that is set beside the others.
    ///   - unjudging: Targets that judge nothing and are not peers.
    package func markdown(_ columns: [Column], ours: String, unjudging: Set<String>) -> String {
        var table = TextTable([.left("")] + columns.map { .right($0.title) })
        for target in targets {
            let cells = columns.map { median($0, of: target).map { Figure.significant($0) } ?? "-" }
            table.add([target == ours ? "**\(target)**" : target] + cells)
        }
        let peers = targets.filter { $0 != ours && !unjudging.contains($0) }
        if targets.contains(ours), !peers.isEmpty {
            let ratios = columns.map { column -> String in
                guard let peer = best(column, among: peers), let ratio = pairedRatio(column, of: ours, to: peer) else {
                    return "-"
                }
                return "**\(Figure.fixed(ratio, 2))** of \(peer)"
            }
            table.add(["\(ours) to the best peer, paired"] + ratios)
        }
        for floor in targets where unjudging.contains(floor) && floor != ours {
            let ratios = columns.map { pairedRatio($0, of: ours, to: floor).map { Figure.fixed($0, 2) } ?? "-" }
            table.add(["\(ours) to \(floor), paired"] + ratios)
        }
        return table.markdown
    }

    /// What two targets must have in common to stand in one column: an open loop's rate follows from each one's own
    /// capacity, and a target without anything to redeem is not redeemed now and then as others are.
    private static func comparable(_ shape: LoadShape) -> LoadShape {
        var shape = shape
        shape.rate = nil
        shape.redeemed = shape.redeemed < 0.5 ? 0 : 1
        return shape
    }

    private func measured(_ column: Column, of target: String) -> [MeasuredRun] {
        runs.filter { key, _ in
            key.target == target && Self.comparable(key.shape) == Self.comparable(column.shape)
        }.flatMap { $0.value }
    }
}
