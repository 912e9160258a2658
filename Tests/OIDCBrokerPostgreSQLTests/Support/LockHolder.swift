// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import NIOCore
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// A session that holds the lock of an account, as one of another process does. It blocks, and is used on one thread.
    struct LockHolder {
        /// The locks of an account.
        static func locks(of account: AccountID) -> RecordLocks {
            var locks = RecordLocks()
            locks.note(AccountQuestion(.account, [.text(account.text)]))
            return locks
        }

        private let connection: PostgreSQLConnection

        init(_ server: PostgreSQLServer, of account: AccountID) throws {
            connection = try PostgreSQLConnector(try server.connection()).connect(
                before: NIODeadline.now() + .seconds(10))
            for key in Self.locks(of: account).keys { try ask("SELECT pg_advisory_lock(\(key))") }
        }

        /// Gives it back.
        func release() throws {
            try ask("SELECT pg_advisory_unlock_all()")
        }

        /// The number of advisory locks that sessions hold, or wait for.
        /// - Parameter condition: What must be so of them.
        func locks(where condition: String = "granted") throws -> String? {
            try ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND \(condition)").onlyTexts?.first
                ?? nil
        }

        /// Asks until there are so many.
        /// - Returns: Whether that came to be within twenty seconds.
        func waits(for count: Int, where condition: String = "true") throws -> Bool {
            let end = NIODeadline.now() + .seconds(20)
            while try locks(where: condition) != "\(count)" {
                guard NIODeadline.now() < end else { return false }
            }
            return true
        }

        @discardableResult
        private func ask(_ sql: String) throws -> PostgreSQLRows {
            try connection.ask(sql, before: NIODeadline.now() + .seconds(10))
        }
    }
#endif
