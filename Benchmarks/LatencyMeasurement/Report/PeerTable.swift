// SPDX-License-Identifier: Apache-2.0

/// A table of targets with a row for each figure: medians over interleaved rounds, ratios within a round, and whether
/// the goals are reached.
package struct PeerTable: Sendable {
    /// The relation of a target to a goal.
    package struct Standing: Sendable, Hashable {
        /// The figure, or its ratio to that of another target.
        package let range: MedianRange
        /// The other target; `nil` if there is none.
        package let other: String?
        /// The verdict on the median.
        package let verdict: TableGoal.Verdict
    }

    /// The targets that are compared with the others, in the requested order.
    package let ours: [String]
    /// The targets that they are compared with, in the order of measurement.
    package let peers: [String]
    /// The targets that validate nothing and so are not peers.
    package let floors: [String]

    /// The targets of ours for which the table says which goals are reached.
    package let assessed: [String]

    private let runs: [String: [Int: [MeasuredRun]]]
    private let optimized: Set<String>

    /// Creates the table of some measurements.
    ///
    /// - Parameters:
    ///   - runs: The measurements.
    ///   - ours: The targets that are compared with the others.
    ///   - assessed: Those of them for which the table says which goals are reached; `nil` for all.
    ///   - optimized: Those of them that are an optimized build, which has goals of its own.
    ///   - unvalidating: The targets that validate nothing.
    package init(
        _ runs: [MeasuredRun], ours: [String], assessed: [String]? = nil, optimized: Set<String> = [],
        unvalidating: Set<String>
    ) {
        self.optimized = optimized
        self.runs = Dictionary(grouping: runs, by: \.target).mapValues { Dictionary(grouping: $0, by: \.round) }
        var seen: Set<String> = []
        let others = runs.map(\.target).filter { seen.insert($0).inserted && !ours.contains($0) }
        self.ours = ours.filter { seen.contains($0) }
        self.assessed = (assessed ?? ours).filter { seen.contains($0) }
        peers = others.filter { !unvalidating.contains($0) }
        floors = others.filter { unvalidating.contains($0) }
    }

    /// The figure over the rounds; `nil` if it was not measured for the target.
    package func range(_ figure: TableFigure, of target: String) -> MedianRange? {
        // The spread of medians, because the largest of three figures in one round is mostly due to a slow machine.
        if case .spread(let figures) = figure {
            return TableFigure.spread(of: figures.map { range($0, of: target)?.median }).flatMap { MedianRange([$0]) }
        }
        return MedianRange(Array(values(figure, of: target).values))
    }

    /// The ratio to another target's figure within each round; `nil` if they have no round in common.
    package func pairedRatio(_ figure: TableFigure, of target: String, to other: String) -> MedianRange? {
        let references = values(figure, of: other)
        return MedianRange(
            values(figure, of: target).compactMap { round, mine -> Double? in
                guard let theirs = references[round], theirs > 0 else { return nil }
                return mine / theirs
            })
    }

    /// The peer with the best median.
    package func bestPeer(_ figure: TableFigure) -> String? {
        let medians = peers.compactMap { name in range(figure, of: name).map { (name: name, value: $0.median) } }
        let best =
            figure.isBetterHigher
            ? medians.max { $0.value < $1.value } : medians.min { $0.value < $1.value }
        return best?.name
    }

    /// The relation of a target to a goal of a row; `nil` if it was not measured.
    package func standing(_ target: String, to goal: TableGoal, of row: TableRow) -> Standing? {
        let other: String?
        let range: MedianRange?
        switch goal.reference {
        case .nothing:
            other = nil
            range = self.range(row.figure, of: target)
        case .bestPeer:
            other = bestPeer(row.figure)
            range = other.flatMap { pairedRatio(row.figure, of: target, to: $0) }
        case .target(let name):
            other = name
            range = pairedRatio(row.figure, of: target, to: name)
        }
        guard let range else { return nil }
        var verdict = goal.verdict(range.median, isOptimized: optimized.contains(target))
        if row.caveat != nil, verdict != .missed { verdict = .open }
        return Standing(range: range, other: other, verdict: verdict)
    }

    /// As Markdown: the median of each target, then the goal and how ours stand to it and to the best peer.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - showsGoals: Whether the columns after the medians are there. Without them, only those targets of ours are
    ///     there that are assessed.
    package func markdown(_ rows: [TableRow], showsGoals: Bool = true) -> String {
        let targets = (showsGoals ? ours : assessed) + peers + floors
        var columns: [TextTable.Column] = [.left("")]
        for name in targets { columns.append(.right(name)) }
        if showsGoals {
            columns.append(.left("goal"))
            for name in assessed { columns.append(.left("reached by \(name)")) }
        }
        var table = TextTable(columns)
        for row in rows {
            var cells = [row.title]
            for name in targets {
                cells.append(range(row.figure, of: name).map { Figure.significant($0.median) } ?? "-")
            }
            if showsGoals {
                cells.append(row.goals.isEmpty ? "-" : row.goals.map(\.text).joined(separator: "; "))
                for name in assessed { cells.append(verdict(of: name, in: row)) }
            }
            table.add(cells)
        }
        return table.markdown
    }

    /// The number of goals that a target reaches, and the number of goals. One that was not measured is not reached.
    package func score(of target: String, _ rows: [TableRow]) -> (reached: Int, goals: Int) {
        var score = (reached: 0, goals: 0)
        for row in rows {
            for goal in row.goals {
                score.goals += 1
                if let found = standing(target, to: goal, of: row), found.verdict == .reached { score.reached += 1 }
            }
        }
        return score
    }

    private func verdict(of target: String, in row: TableRow) -> String {
        var parts = row.goals.map { goal -> String in
            guard let found = standing(target, to: goal, of: row) else { return "not measured" }
            return text(found, caveat: row.caveat)
        }
        let isCompared = row.goals.contains { $0.reference == .bestPeer }
        if !isCompared, row.figure.isComparable, let peer = bestPeer(row.figure),
            let ratio = pairedRatio(row.figure, of: target, to: peer)
        {
            parts.append("\(ratio.ratioText) of \(peer)")
        }
        return parts.isEmpty ? "-" : parts.joined(separator: "; ")
    }

    private func text(_ standing: Standing, caveat: String?) -> String {
        let verdict = standing.verdict.rawValue
        if let other = standing.other { return "\(verdict): \(standing.range.ratioText) of \(other)" }
        let ends = standing.range.endsText
        let reason = standing.verdict == .open ? caveat ?? "" : ""
        let details = [reason, ends].filter { !$0.isEmpty }.joined(separator: ", ")
        return details.isEmpty ? verdict : "\(verdict) (\(details))"
    }

    /// The figure of each round in which it was measured.
    private func values(_ figure: TableFigure, of target: String) -> [Int: Double] {
        (runs[target] ?? [:]).compactMapValues { figure.value(in: $0) }
    }
}
