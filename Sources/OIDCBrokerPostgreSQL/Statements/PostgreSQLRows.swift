// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// The rows of an answer. A column without a value is `nil`.
    struct PostgreSQLRows: Sendable, Hashable {
        var rows: [[[UInt8]?]] = []

        /// The first row, as text; `nil` if there is not exactly one row.
        var onlyTexts: [String?]? {
            guard rows.count == 1, let row = rows.first else { return nil }
            return row.map { column in column.map { String(decoding: $0, as: UTF8.self) } }
        }
    }
#endif
