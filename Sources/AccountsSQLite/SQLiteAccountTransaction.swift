// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import FoundationEssentials
    import GRDB

    /// One transaction, whose primitives are those of each store on SQL.
    final class SQLiteAccountTransaction: SQLAccountTransaction {
        private let database: Database
        private let mode: AccountTransactionMode
        /// What a statement threw first. The transaction fails with it, also where the body catches it.
        private var failure: AccountStoreError?
        /// The error of the database that is not the fault of what was written.
        private(set) var databaseFailure: DatabaseError?

        init(_ database: Database, mode: AccountTransactionMode) {
            self.database = database
            self.mode = mode
        }

        /// Throws what a statement threw, also where the body caught it.
        func finish() throws {
            if let failure { throw failure }
        }

        func find<Record: AccountRecord>(_ statement: AccountStatement, _ values: [AccountValue]) throws -> [Record] {
            try recorded {
                var records: [Record] = []
                let rows = try Row.fetchCursor(try cached(statement), arguments: Self.arguments(values))
                while let row = try rows.next() { records.append(try Record(row: SQLiteColumns(row: row))) }
                return records
            }
        }

        func write(_ statement: AccountStatement, _ values: [AccountValue], mustChange: Bool) throws -> Int {
            try recorded {
                guard mode == .write else { throw AccountStoreError.readsOnly }
                // A text ends at its first zero byte for SQLite.
                for case .text(let text?) in values where text.utf8.contains(0) {
                    throw AccountStoreError(.conflict, "a text has a zero byte")
                }
                try cached(statement).execute(arguments: Self.arguments(values))
                let count = database.changesCount
                guard count > 0 || !mustChange else { throw AccountStoreError.noRecord }
                return count
            }
        }

        private static let texts = Dictionary(
            uniqueKeysWithValues: AccountStatement.allCases.map { ($0, AccountDialect.sqlite.text(of: $0)) })

        private func cached(_ statement: AccountStatement) throws -> Statement {
            try database.cachedStatement(sql: Self.texts[statement] ?? AccountDialect.sqlite.text(of: statement))
        }

        private static func arguments(_ values: [AccountValue]) -> StatementArguments {
            StatementArguments(
                values.map { value -> (any DatabaseValueConvertible)? in
                    switch value {
                    case .text(let text): text
                    case .bytes(let bytes): bytes.map { Data($0) }
                    case .number(let number): number
                    case .boolean(let value): value
                    }
                })
        }

        private func recorded<Result>(_ body: () throws -> Result) throws -> Result {
            do {
                return try body()
            } catch {
                var known = error as? AccountStoreError
                if let error = error as? DatabaseError {
                    known = AccountStoreError(error)
                    if known?.code == .unavailable { databaseFailure = databaseFailure ?? error }
                }
                let thrown = known ?? AccountStoreError.unreadable
                failure = failure ?? thrown
                throw thrown
            }
        }
    }

    /// The columns of a row of a table that is STRICT.
    private struct SQLiteColumns: AccountColumns {
        let row: Row

        func textIfAny(_ position: Int) -> String? { row[position] }
        func bytesIfAny(_ position: Int) -> [UInt8]? { (row[position] as Data?).map { Array($0) } }
        func numberIfAny(_ position: Int) -> Int64? { row[position] }
        func booleanIfAny(_ position: Int) -> Bool? { row[position] }
    }
#endif
