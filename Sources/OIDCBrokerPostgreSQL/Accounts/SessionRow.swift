// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    /// A session as a row.
    enum SessionRow {
        static let columns = """
            id, secret_hash, uid, provider_id, app, auth_time, last_proof_at, created_at, last_used_on, expiry
            """
        static let types: [PostgreSQLType] = [
            .bytes, .bytes, .bytes, .bytes, .bytes, .number, .number, .number, .number, .number,
        ]
        static let insertion = """
            INSERT INTO oidc_broker_session (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """
        static let update = """
            UPDATE oidc_broker_session SET secret_hash = $2, uid = $3, provider_id = $4, app = $5, auth_time = $6, \
            last_proof_at = $7, created_at = $8, last_used_on = $9, expiry = $10 WHERE id = $1
            """

        static func values(_ session: AccountSession) -> [[UInt8]?] {
            [
                session.id.bytes, session.secretHash, Array(session.account.text.utf8), Array(session.providerID.utf8),
                session.app.map { Array($0.utf8) }, PostgreSQLBytes.number(session.authTime),
                session.lastProofAt.map { PostgreSQLBytes.number($0) }, PostgreSQLBytes.number(session.createdAt),
                PostgreSQLBytes.number(session.lastUsedOn), PostgreSQLBytes.number(session.expiry),
            ]
        }

        static func read(_ row: AccountColumns) throws(AccountStoreError) -> AccountSession {
            guard let id = AccountSession.ID(bytes: try row.bytes(0)) else { throw AccountStoreError.unreadable }
            var session = AccountSession(
                id: id, secretHash: try row.bytes(1), account: try row.account(2), providerID: try row.text(3),
                app: try row.textIfAny(4), authTime: try row.number(5), createdAt: try row.number(7),
                expiry: try row.number(9))
            session.lastProofAt = try row.numberIfAny(6)
            session.lastUsedOn = try row.number(8)
            return session
        }
    }
#endif
