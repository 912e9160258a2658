// SPDX-License-Identifier: Apache-2.0

/// A row of the table.
package struct TableRow: Sendable, Hashable {
    /// What it is, with its unit.
    package let title: String
    /// What is measured for it.
    package let load: TableLoad
    /// The figure.
    package let figure: TableFigure
    /// What the figure shall not exceed; none where nobody has said.
    package let goals: [TableGoal]
    /// Whether the short table has it.
    package let isInSummary: Bool
    /// Why reaching the goals would show nothing, where less was measured than they are about.
    package let caveat: String?

    /// A row.
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

    /// Some rows.
    package init(title: String, rows: [TableRow]) {
        self.title = title
        self.rows = rows
    }
}
