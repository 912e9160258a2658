// SPDX-License-Identifier: Apache-2.0

/// A statement of a store of accounts on SQL: what a primitive of a transaction asks. Each finds its rows by an index, so
/// that a transaction depends on those rows and not on the whole table.
package enum AccountStatement: String, Sendable, CaseIterable {
    // What reads.
    case identity, identities, identitiesOfPage, identityClaims, account, accountOfEmail, accounts
    case session, sessions, sessionsOfProvider
    // What writes.
    case insertAccount, insertFreeAccount, updateAccount, removeAccount
    case insertIdentity, insertFreeIdentity, updateIdentity, setIdentityClaims, removeIdentity
    case insertSession, updateSession, removeSessions, trimSessions, renameProvider
    case consume, sweepSessions, sweepConsumed
    // The outbox.
    case appendEvent, claimEvents, removeEvent, postponeEvents, hastenEvents, giveUpEvent, sweepEvents
    case events, countEvents, oldestEvent
}

/// What the statements are in the SQL of one database.
package struct AccountDialect: Sendable {
    /// What the names of the tables begin with.
    let prefix: String
    /// The condition of the row of an identity, whose issuer is `?1` and whose subject is `?2`.
    let isIdentity: String
    /// What stands before and after a selection that has a column.
    let isAmong: (String, String)
    /// The function of the greater of two numbers.
    let greater: String
    /// How rows that another process writes or removes are left to it while expired ones are selected.
    let skipsLocked: String

    /// SQLite, whose writes wait for each other.
    package static let sqlite = AccountDialect(
        prefix: "", isIdentity: "issuer = ?1 AND subject = ?2", isAmong: ("IN (", ")"), greater: "max",
        skipsLocked: "")

    /// PostgreSQL, where `?1` is `$1`.
    ///
    /// The index of identities has the hashes of issuer and subject: an issuer may be longer than an index permits.
    /// FOR UPDATE looks at a row as it is now, so that a session that was used meanwhile is left out.
    package static let postgreSQL = AccountDialect(
        prefix: "oidc_broker_",
        isIdentity: """
            sha256(issuer) = sha256(?1) AND sha256(subject) = sha256(?2) AND issuer = ?1 AND subject = ?2
            """,
        isAmong: ("= ANY (ARRAY(", "))"), greater: "GREATEST", skipsLocked: " FOR UPDATE SKIP LOCKED")

    /// Returns the text of a statement.
    package func text(of statement: AccountStatement) -> String {
        let (account, identity, session) = (Account.table, AccountIdentity.table, AccountSession.table)
        return switch statement {
        case .account: "\(selection(account)) WHERE uid = ?1"
        case .accountOfEmail: "\(selection(account)) WHERE email_key = ?1"
        case .accounts: "\(selection(account)) WHERE uid > ?1 ORDER BY uid LIMIT ?2"
        case .insertAccount: insertion(account)
        case .insertFreeAccount: insertion(account) + " ON CONFLICT DO NOTHING"
        case .updateAccount: update(account, where: "uid = ?1")
        case .removeAccount: "DELETE FROM \(prefix)account WHERE uid = ?1"
        case .identity: "\(selection(identity)) WHERE \(isIdentity)"
        case .identities: "\(selection(identity)) WHERE uid = ?1 ORDER BY position"
        case .identitiesOfPage: "\(selection(identity)) WHERE uid > ?1 AND uid <= ?2 ORDER BY uid, position"
        case .identityClaims: "\(selection(IdentityClaims.table)) WHERE \(isIdentity)"
        case .setIdentityClaims: "UPDATE \(prefix)identity SET claims = ?3 WHERE \(isIdentity)"
        case .insertIdentity: insertion(identity)
        case .insertFreeIdentity: insertion(identity) + " ON CONFLICT DO NOTHING"
        case .updateIdentity: update(identity, where: isIdentity, keyLength: 2)
        case .removeIdentity: "DELETE FROM \(prefix)identity WHERE \(isIdentity)"
        case .session: "\(selection(session)) WHERE id = ?1"
        case .sessions: "\(selection(session)) WHERE uid = ?1 ORDER BY last_used_on, created_at, id"
        case .sessionsOfProvider: "\(selection(session)) WHERE provider_session = ?1 ORDER BY id"
        case .insertSession: insertion(session)
        case .updateSession: update(session, where: "id = ?1")
        case .removeSessions:
            """
            DELETE FROM \(prefix)session WHERE uid = ?1 AND (?2 IS NULL OR provider_id = ?2) \
            AND (?3 IS NULL OR id <> ?3)
            """
        case .trimSessions:
            removal(
                from: "session", by: "id",
                """
                uid = ?1 ORDER BY last_used_on, created_at, id \
                LIMIT \(greater)(0, (SELECT count(*) FROM \(prefix)session WHERE uid = ?1) - ?2)
                """)
        case .renameProvider: "UPDATE \(prefix)session SET provider_id = ?1 WHERE uid = ?2 AND provider_id = ?3"
        case .consume: "INSERT INTO \(prefix)consumed (hash, expiry) VALUES (?1, ?2) ON CONFLICT DO NOTHING"
        case .sweepSessions:
            removal(from: "session", by: "id", "expiry <= ?1 ORDER BY expiry LIMIT ?2" + skipsLocked)
        case .sweepConsumed:
            removal(from: "consumed", by: "hash", "expiry <= ?1 ORDER BY expiry LIMIT ?2" + skipsLocked)
        case .appendEvent, .claimEvents, .removeEvent, .postponeEvents, .hastenEvents, .giveUpEvent, .sweepEvents,
            .events, .countEvents, .oldestEvent:
            outboxText(of: statement)
        }
    }

    func selection(_ table: AccountTable) -> String {
        "SELECT \(table.columns.map(\.key).joined(separator: ", ")) FROM \(prefix)\(table.name)"
    }

    private func insertion(_ table: AccountTable) -> String {
        let columns = table.columns.map(\.key).joined(separator: ", ")
        let values = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
        return "INSERT INTO \(prefix)\(table.name) (\(columns)) VALUES (\(values))"
    }

    private func update(_ table: AccountTable, where condition: String, keyLength: Int = 1) -> String {
        let changes = table.columns.enumerated().dropFirst(keyLength).map { "\($1.key) = ?\($0 + 1)" }
        return "UPDATE \(prefix)\(table.name) SET \(changes.joined(separator: ", ")) WHERE \(condition)"
    }

    func removal(from table: String, by key: String, _ condition: String) -> String {
        "DELETE FROM \(prefix)\(table) WHERE \(key) \(isAmong.0)SELECT \(key) FROM \(prefix)\(table) "
            + "WHERE \(condition)\(isAmong.1)"
    }
}
