// SPDX-License-Identifier: Apache-2.0

/// A limit that a figure should not exceed.
package struct TableGoal: Sendable, Hashable {
    /// The divisor of the figure.
    package enum Reference: Sendable, Hashable {
        /// None: the figure itself is compared.
        case nothing
        /// The same figure of the peer with the best median.
        case bestPeer
        /// The same figure of a target, by its name.
        case target(String)
    }

    /// The relation of a figure to a goal, with the texts of the table.
    package enum Verdict: String, Sendable, Hashable {
        /// The goal is reached.
        case reached = "yes"
        /// Only the required limit is reached.
        case must = "**must only**"
        /// The goal is not reached.
        case missed = "**no**"
        /// The goal would be reached, but less was measured than it refers to.
        case open = "**not shown**"
    }

    /// The divisor of the figure.
    package let reference: Reference
    /// The goal.
    package let atMost: Double
    /// The goal of the optimized build, if it differs.
    package let optimized: Double?
    /// The required limit, if it differs from the goal.
    package let must: Double?

    /// Creates a goal.
    package init(
        _ reference: Reference = .nothing, atMost: Double, optimized: Double? = nil, must: Double? = nil
    ) {
        self.reference = reference
        self.atMost = atMost
        self.optimized = optimized
        self.must = must
    }

    /// Returns the verdict on a value. NaN reaches nothing.
    ///
    /// - Parameters:
    ///   - value: The figure or ratio.
    ///   - isOptimized: Whether it is that of the optimized build.
    package func verdict(_ value: Double, isOptimized: Bool = false) -> Verdict {
        if value <= (isOptimized ? optimized ?? atMost : atMost) { return .reached }
        if let must, value <= must { return .must }
        return .missed
    }

    /// The text in the table.
    package var text: String {
        let other = optimized.map { " (optimized: \(Figure.shortest($0)))" } ?? ""
        let limit = "at most \(Figure.shortest(atMost))\(other)"
        let whole =
            switch reference {
            case .nothing: limit
            case .bestPeer: "\(limit) of the best peer"
            case .target(let name): "\(limit) times \(name)"
            }
        return must.map { "\(whole) (must: \(Figure.shortest($0)))" } ?? whole
    }
}
