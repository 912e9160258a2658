// SPDX-License-Identifier: Apache-2.0

/// A table of texts, for a terminal or as Markdown.
package struct TextTable: Sendable, Hashable {
    /// The title and alignment of a column.
    package struct Column: Sendable, Hashable {
        let title: String
        let isRight: Bool

        /// A column of texts.
        package static func left(_ title: String) -> Column { Column(title: title, isRight: false) }
        /// A column of figures.
        package static func right(_ title: String) -> Column { Column(title: title, isRight: true) }
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Creates a table without rows.
    package init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Whether it has no rows.
    package var isEmpty: Bool { rows.isEmpty }

    /// Appends a row. Missing cells are empty, excess ones are dropped.
    package mutating func add(_ cells: [String]) {
        rows.append((0..<columns.count).map { $0 < cells.count ? cells[$0] : "" })
    }

    /// Removes all rows.
    package mutating func removeRows() { rows.removeAll() }

    /// The table for a terminal, with columns as wide as necessary.
    package var text: String {
        let widths = columns.indices.map { column in
            rows.reduce(columns[column].title.count) { max($0, $1[column].count) }
        }
        func line(_ cells: [String]) -> String {
            var parts: [String] = []
            for (column, cell) in cells.enumerated() {
                let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
                parts.append(columns[column].isRight ? padding + cell : cell + padding)
            }
            var text = parts.joined(separator: "  ")
            while text.last == " " { text.removeLast() }
            return text
        }
        return ([line(columns.map(\.title))] + rows.map { line($0) }).joined(separator: "\n")
    }

    /// The table as Markdown.
    package var markdown: String {
        func line(_ cells: [String]) -> String {
            "| " + cells.map { $0.isEmpty ? " " : $0 }.joined(separator: " | ") + " |"
        }
        let rule = "| " + columns.map { $0.isRight ? "---:" : "---" }.joined(separator: " | ") + " |"
        return ([line(columns.map(\.title)), rule] + rows.map { line($0) }).joined(separator: "\n")
    }
}
