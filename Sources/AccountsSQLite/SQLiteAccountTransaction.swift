// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import FoundationEssentials
    import GRDB

    /// The primitives of one transaction, each of which is one statement.
    final class SQLiteAccountTransaction: AccountTransaction {
        private let database: Database
        private let mode: AccountTransactionMode
        /// What a statement threw first. The transaction fails with it, also where the body catches it.
        private var failure: AccountStoreError?
        /// The error of the database that is not the fault of what was written.
        private(set) var trouble: DatabaseError?

        init(_ database: Database, mode: AccountTransactionMode) {
            self.database = database
            self.mode = mode
        }

        /// Throws what a statement threw, also where the body caught it.
        func finish() throws {
            if let failure { throw failure }
        }

        // MARK: Reads

        func identity(_ key: IdentityKey) throws -> AccountIdentity? {
            try first(
                "SELECT \(IdentityRow.columns) FROM identity WHERE issuer = ? AND subject = ?",
                [Data(key.issuer.utf8), Data(key.subject.utf8)], IdentityRow.read)
        }

        func identities(of account: AccountID) throws -> [AccountIdentity] {
            try all(
                "SELECT \(IdentityRow.columns) FROM identity WHERE uid = ? ORDER BY position", [account.text],
                IdentityRow.read)
        }

        func account(_ id: AccountID) throws -> Account? {
            try first("SELECT \(AccountRow.columns) FROM account WHERE uid = ?", [id.text], AccountRow.read)
        }

        func account(owning email: EmailAddress) throws -> Account? {
            try first("SELECT \(AccountRow.columns) FROM account WHERE email_key = ?", [email.key], AccountRow.read)
        }

        func accounts(after id: AccountID?, limit: Int) throws -> [Account] {
            try all(
                "SELECT \(AccountRow.columns) FROM account WHERE uid > ? ORDER BY uid LIMIT ?",
                [id?.text ?? "", max(0, limit)], AccountRow.read)
        }

        func session(_ id: AccountSession.ID) throws -> AccountSession? {
            try first("SELECT \(SessionRow.columns) FROM session WHERE id = ?", [Data(id.bytes)], SessionRow.read)
        }

        func sessions(of account: AccountID) throws -> [AccountSession] {
            try all(
                "SELECT \(SessionRow.columns) FROM session WHERE uid = ? ORDER BY last_used_on, created_at, id",
                [account.text], SessionRow.read)
        }

        // MARK: Writes

        func insert(_ account: Account) throws {
            try run(AccountRow.insertion, AccountRow.values(account))
        }

        func update(_ account: Account) throws {
            try run(AccountRow.update, AccountRow.values(account), mustChange: true)
        }

        func remove(_ account: AccountID) throws {
            try run("DELETE FROM account WHERE uid = ?", [account.text])
        }

        func insert(_ identity: AccountIdentity) throws {
            try run(IdentityRow.insertion, IdentityRow.values(identity))
        }

        func update(_ identity: AccountIdentity) throws {
            try run(IdentityRow.update, IdentityRow.values(identity), mustChange: true)
        }

        func remove(_ identity: IdentityKey) throws {
            try run(
                "DELETE FROM identity WHERE issuer = ? AND subject = ?",
                [Data(identity.issuer.utf8), Data(identity.subject.utf8)])
        }

        func insert(_ session: AccountSession) throws {
            try run(SessionRow.insertion, SessionRow.values(session))
        }

        func update(_ session: AccountSession) throws {
            try run(SessionRow.update, SessionRow.values(session), mustChange: true)
        }

        func remove(_ session: AccountSession.ID) throws {
            try run("DELETE FROM session WHERE id = ?", [Data(session.bytes)])
        }

        func removeSessions(
            of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?
        ) throws {
            try run(
                """
                DELETE FROM session WHERE uid = ?1 AND (?2 IS NULL OR provider_id = ?2) AND (?3 IS NULL OR id <> ?3)
                """, [account.text, providerID, kept.map { Data($0.bytes) }])
        }

        func trimSessions(of account: AccountID, to count: Int) throws {
            try run(
                """
                DELETE FROM session WHERE id IN (
                    SELECT id FROM session WHERE uid = ?1 ORDER BY last_used_on, created_at, id
                    LIMIT max(0, (SELECT count(*) FROM session WHERE uid = ?1) - ?2))
                """, [account.text, max(0, count)])
        }

        func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) throws {
            try run(
                "UPDATE session SET provider_id = ? WHERE uid = ? AND provider_id = ?",
                [newID, account.text, providerID])
        }

        func consume(_ hash: [UInt8], expiry: Int64) throws -> Bool {
            try run("INSERT OR IGNORE INTO consumed (hash, expiry) VALUES (?, ?)", [Data(hash), expiry]) > 0
        }

        /// Removes sessions and used-up entries that have expired, at most so many in all.
        func sweep(before now: Int64, limit: Int) throws -> Int {
            let sessions = try run(
                "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE expiry <= ? LIMIT ?)",
                [now, max(0, limit)])
            let rest = max(0, limit - sessions)
            return try sessions
                + run(
                    "DELETE FROM consumed WHERE hash IN (SELECT hash FROM consumed WHERE expiry <= ? LIMIT ?)",
                    [now, rest])
        }

        // MARK: Statements

        private func first<Record>(
            _ sql: String, _ values: [(any DatabaseValueConvertible)?], _ read: (Row) throws -> Record
        ) throws -> Record? {
            try recorded {
                let statement = try database.cachedStatement(sql: sql)
                return try Row.fetchOne(statement, arguments: StatementArguments(values)).map(read)
            }
        }

        private func all<Record>(
            _ sql: String, _ values: [(any DatabaseValueConvertible)?], _ read: (Row) throws -> Record
        ) throws -> [Record] {
            try recorded {
                let statement = try database.cachedStatement(sql: sql)
                var records: [Record] = []
                let rows = try Row.fetchCursor(statement, arguments: StatementArguments(values))
                while let row = try rows.next() { records.append(try read(row)) }
                return records
            }
        }

        /// - Parameter mustChange: Whether it is a conflict if no row is changed.
        /// - Returns: The number of rows that were changed.
        @discardableResult
        private func run(
            _ sql: String, _ values: [(any DatabaseValueConvertible)?], mustChange: Bool = false
        ) throws -> Int {
            try recorded {
                guard mode == .write else {
                    throw AccountStoreError(.conflict, "a transaction for reading cannot write")
                }
                // A text ends at its first zero byte for SQLite.
                guard !values.contains(where: { ($0 as? String)?.utf8.contains(0) ?? false }) else {
                    throw AccountStoreError(.conflict, "a text has a zero byte")
                }
                let statement = try database.cachedStatement(sql: sql)
                try statement.execute(arguments: StatementArguments(values))
                let count = database.changesCount
                guard count > 0 || !mustChange else {
                    throw AccountStoreError(.conflict, "there is no record to change")
                }
                return count
            }
        }

        private func recorded<Result>(_ body: () throws -> Result) throws -> Result {
            do {
                return try body()
            } catch {
                var known = error as? AccountStoreError
                if let error = error as? DatabaseError {
                    known = AccountStoreError(error)
                    if known?.code == .unavailable { trouble = trouble ?? error }
                }
                let thrown = known ?? AccountStoreError(.unavailable, "a record cannot be read")
                failure = failure ?? thrown
                throw thrown
            }
        }
    }
#endif
