// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import FoundationEssentials
    import GRDB

    /// A session as a row.
    enum SessionRow {
        static let columns = """
            id, secret_hash, uid, provider_id, app, auth_time, last_proof_at, created_at, last_used_on, expiry
            """
        static let insertion = "INSERT INTO session (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        static let update = """
            UPDATE session SET secret_hash = ?2, uid = ?3, provider_id = ?4, app = ?5, auth_time = ?6, \
            last_proof_at = ?7, created_at = ?8, last_used_on = ?9, expiry = ?10 WHERE id = ?1
            """

        static func values(_ session: AccountSession) -> [(any DatabaseValueConvertible)?] {
            [
                Data(session.id.bytes), Data(session.secretHash), session.account.text, session.providerID, session.app,
                session.authTime, session.lastProofAt, session.createdAt, session.lastUsedOn, session.expiry,
            ]
        }

        static func read(_ row: Row) throws -> AccountSession {
            guard let id = AccountSession.ID(bytes: Array(row[0] as Data)), let account = AccountID(row[2] as String)
            else { throw AccountStoreError.unreadable }
            var session = AccountSession(
                id: id, secretHash: Array(row[1] as Data), account: account, providerID: row[3], app: row[4],
                authTime: row[5], createdAt: row[7], expiry: row[9])
            session.lastProofAt = row[6]
            session.lastUsedOn = row[8]
            return session
        }
    }
#endif
