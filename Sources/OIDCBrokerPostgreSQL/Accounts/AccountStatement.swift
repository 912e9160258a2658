// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// A statement of the store of accounts. Those between a beginning and an end are one transaction.
    enum AccountStatement: String, PreparedStatement, Hashable, CaseIterable {
        // The beginnings and the ends.
        case beginRead, beginList, beginWrite, beginSweep, commit, rollback
        /// Waits until no write runs alone, and lets none begin to until the end of the transaction.
        case share
        /// Waits for the writes that have begun, and lets no other begin until the end of the transaction.
        case exclude
        /// Waits until no other try that failed is about a record, until ``unlockRecords``.
        case lockRecord
        case unlockRecords
        // What reads.
        case identity, identities, account, accountOfEmail, accounts, session, sessions
        // What writes.
        case insertAccount, updateAccount, removeAccount
        case insertIdentity, updateIdentity, removeIdentity
        case insertSession, updateSession, removeSession, removeSessions, trimSessions, renameProvider
        case consume, sweepSessions, sweepConsumed

        /// Its name at a connection.
        var name: String { "oidc_broker_accounts_\(rawValue)" }

        /// The types of the parameters.
        var parameters: [PostgreSQLType] {
            switch self {
            case .beginRead, .beginList, .beginWrite, .beginSweep, .share, .exclude, .unlockRecords, .commit, .rollback:
                []
            case .lockRecord: [.number]
            case .account, .accountOfEmail, .identities, .session, .sessions: [.bytes]
            case .removeAccount, .removeSession: [.bytes]
            case .identity, .removeIdentity: [.bytes, .bytes]
            case .accounts, .trimSessions, .consume: [.bytes, .number]
            case .insertAccount, .updateAccount: AccountRow.types
            case .insertIdentity, .updateIdentity: IdentityRow.types
            case .insertSession, .updateSession: SessionRow.types
            case .removeSessions, .renameProvider: [.bytes, .bytes, .bytes]
            case .sweepSessions, .sweepConsumed: [.number, .number]
            }
        }

        /// The text.
        var sql: String {
            switch self {
            case .beginRead: "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY"
            // It decides nothing, and a long one must not be in the way of a write.
            case .beginList: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .beginWrite: "BEGIN ISOLATION LEVEL SERIALIZABLE"
            // It decides by one row at a time, which it has locked.
            case .beginSweep: "BEGIN ISOLATION LEVEL READ COMMITTED"
            case .share: "LOCK TABLE oidc_broker_accounts_lock IN ROW EXCLUSIVE MODE"
            case .exclude: "LOCK TABLE oidc_broker_accounts_lock IN EXCLUSIVE MODE"
            case .lockRecord: "SELECT pg_advisory_lock($1)"
            case .unlockRecords: "SELECT pg_advisory_unlock_all()"
            case .commit: "COMMIT"
            case .rollback: "ROLLBACK"
            case .account, .accountOfEmail, .accounts, .insertAccount, .updateAccount, .removeAccount:
                accountText
            case .identity, .identities, .insertIdentity, .updateIdentity, .removeIdentity: identityText
            case .session, .sessions, .insertSession, .updateSession, .removeSession, .removeSessions, .trimSessions,
                .renameProvider:
                sessionText
            case .consume:
                "INSERT INTO oidc_broker_consumed (hash, expiry) VALUES ($1, $2) ON CONFLICT DO NOTHING"
            case .sweepSessions: Self.sweepText(of: "oidc_broker_session", by: "id")
            case .sweepConsumed: Self.sweepText(of: "oidc_broker_consumed", by: "hash")
            }
        }

        /// Removes rows that have expired, the longest expired first. Rows that another process writes or sweeps are left
        /// to it. FOR UPDATE looks at the row as it is now, so that a session that was used meanwhile is left out.
        private static func sweepText(of table: String, by key: String) -> String {
            """
            DELETE FROM \(table) WHERE \(key) = ANY (ARRAY(
                SELECT \(key) FROM \(table) WHERE expiry <= $1 ORDER BY expiry LIMIT $2 FOR UPDATE SKIP LOCKED
            ))
            """
        }
    }

    /// A statement with its parameters, in the binary format of their types; `nil` is NULL.
    struct AccountQuestion: Sendable, Hashable {
        let statement: AccountStatement
        let parameters: [[UInt8]?]

        init(_ statement: AccountStatement, _ parameters: [[UInt8]?] = []) {
            self.statement = statement
            self.parameters = parameters
        }
    }
#endif
