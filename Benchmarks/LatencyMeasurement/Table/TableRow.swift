// SPDX-License-Identifier: Apache-2.0

/// A row of the table.
package struct TableRow: Sendable, Hashable {
    /// The title with the unit.
    package let title: String
    /// The load that is measured for it.
    package let load: TableLoad
    /// The figure.
    package let figure: TableFigure
    /// The goals; empty if there are none.
    package let goals: [TableGoal]
    /// Whether it is in the short table.
    package let isInSummary: Bool
    /// The reason why reaching the goals proves nothing, if less was measured than they refer to.
    package let caveat: String?

    /// Creates a row.
    package init(
        _ title: String, _ load: TableLoad, _ figure: TableFigure, goals: [TableGoal] = [], isInSummary: Bool = false,
        caveat: String? = nil
    ) {
        self.title = title
        self.load = load
        self.figure = figure
        self.goals = goals
        self.isInSummary = isInSummary
        self.caveat = caveat
    }
}

/// Rows under a heading.
package struct TablePart: Sendable, Hashable {
    /// The heading.
    package let title: String
    /// The rows.
    package let rows: [TableRow]

    /// Creates a part.
    package init(title: String, rows: [TableRow]) {
        self.title = title
        self.rows = rows
    }
}
