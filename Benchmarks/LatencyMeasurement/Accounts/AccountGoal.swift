// SPDX-License-Identifier: Apache-2.0

/// A goal for an operation on accounts, on one processor.
package struct AccountGoal: Sendable, Hashable {
    /// The figure.
    package let metric: Metric
    /// Its limit.
    package let goal: TableGoal

    /// The least load under which the goal of ``AccountOperation/mixed`` is shown.
    private static let mixedConcurrency = 64
    private static let mixedRate = 200.0

    /// The goal under a load; `nil` if there is none.
    package init?(_ shape: LoadShape) {
        guard let operation = shape.operation else { return nil }
        let isRSA = shape.algorithm == "RS256"
        switch operation {
        case .lookup: self.init(.processorTime, isRSA ? 0.1 : 0.17)
        case .refresh: self.init(.processorTime, isRSA ? 2 : 0.15)
        case .known: self.init(.processorTime, 0.5)
        case .new: self.init(.processorTime, 0.8)
        case .mixed:
            guard shape.concurrency >= Self.mixedConcurrency, shape.rate.map({ $0 >= Self.mixedRate }) == true else {
                return nil
            }
            self.init(.operationP99, 10)
        }
    }

    private init(_ metric: Metric, _ limit: Double) {
        self.metric = metric
        goal = TableGoal(atMost: limit)
    }

    /// Returns the line for a terminal; `nil` if the measurement does not have the figure.
    package func text(_ run: MeasuredRun) -> String? {
        guard let value = metric.value(in: run) else { return nil }
        let verdict = goal.verdict(value) == .reached ? "reached" : "MISSED"
        return "goal: \(metric.rawValue) \(goal.text), \(verdict): \(Figure.fixed(value, 3))"
    }
}
