// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// The rows of an answer. A column without a value is `nil`.
    struct PostgreSQLRows: Sendable, Hashable {
        var rows: [[[UInt8]?]] = []
        /// What was done, in the words of the server: `COMMIT`, or `DELETE 3`.
        var command = ""

        /// The number of rows that a statement read or changed.
        var count: Int { command.utf8.split(separator: 0x20).last.flatMap { Int(Substring($0)) } ?? 0 }

        /// The first row, as text; `nil` if there is not exactly one row.
        var onlyTexts: [String?]? {
            guard rows.count == 1, let row = rows.first else { return nil }
            return row.map { column in column.map { String(decoding: $0, as: UTF8.self) } }
        }
    }
#endif
