// SPDX-License-Identifier: Apache-2.0

/// What a figure shall not exceed.
package struct TableGoal: Sendable, Hashable {
    /// What the figure is divided by first.
    package enum Reference: Sendable, Hashable {
        /// Nothing: the figure itself is validated.
        case nothing
        /// The same figure of the peer with the best median.
        case bestPeer
        /// The same figure of a target, by its name.
        case target(String)
    }

    /// How a figure stands to it; the texts are those of the table.
    package enum Verdict: String, Sendable, Hashable {
        /// It is reached.
        case reached = "yes"
        /// Only what must be is reached.
        case must = "**must only**"
        /// It is not reached.
        case missed = "**no**"
        /// It would be, but less was measured than the goal is about.
        case open = "**not shown**"
    }

    /// What the figure is divided by.
    package let reference: Reference
    /// The goal.
    package let atMost: Double
    /// What it must not exceed, where less than the goal is enough.
    package let must: Double?

    /// A goal.
    package init(_ reference: Reference = .nothing, atMost: Double, must: Double? = nil) {
        self.reference = reference
        self.atMost = atMost
        self.must = must
    }

    /// How a value stands to it. What is not a number reaches nothing.
    package func verdict(_ value: Double) -> Verdict {
        if value <= atMost { return .reached }
        if let must, value <= must { return .must }
        return .missed
    }

    /// As the table says it.
    package var text: String {
        let limit = "at most \(Figure.shortest(atMost))"
        let whole =
            switch reference {
            case .nothing: limit
            case .bestPeer: "\(limit) of the best peer"
            case .target(let name): "\(limit) times \(name)"
            }
        return must.map { "\(whole) (must: \(Figure.shortest($0)))" } ?? whole
    }
}
