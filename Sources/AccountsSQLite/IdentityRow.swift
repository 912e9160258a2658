// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import FoundationEssentials
    import GRDB

    /// An identity as a row.
    enum IdentityRow {
        static let columns = """
            issuer, subject, uid, provider_id, email, email_verified, private_relay, display_name, photo_url, created_at, \
            last_used_at, token_hash, token_expiry, revoked_at
            """
        static let insertion = """
            INSERT INTO identity (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        static let update = """
            UPDATE identity SET uid = ?3, provider_id = ?4, email = ?5, email_verified = ?6, private_relay = ?7, \
            display_name = ?8, photo_url = ?9, created_at = ?10, last_used_at = ?11, token_hash = ?12, \
            token_expiry = ?13, revoked_at = ?14 WHERE issuer = ?1 AND subject = ?2
            """

        static func values(_ identity: AccountIdentity) -> [(any DatabaseValueConvertible)?] {
            let verified = identity.verified
            return [
                Data(verified.key.issuer.utf8), Data(verified.key.subject.utf8), identity.account.text,
                verified.providerID, verified.email?.text, verified.isEmailProved, verified.isPrivateRelay,
                verified.displayName, verified.photoURL, identity.createdAt, identity.lastUsedAt,
                identity.accessToken.map { Data($0.hash) }, identity.accessToken?.expiry, identity.revokedAt,
            ]
        }

        static func read(_ row: Row) throws -> AccountIdentity {
            guard let account = AccountID(row[2] as String) else { throw AccountStoreError.unreadable }
            let key = IdentityKey(
                issuer: String(decoding: row[0] as Data, as: UTF8.self),
                subject: String(decoding: row[1] as Data, as: UTF8.self))
            let verified = VerifiedIdentity(
                key, providerID: row[3], email: try (row[4] as String?).map { try AccountRow.email($0) },
                isEmailProved: row[5], isPrivateRelay: row[6], displayName: row[7], photoURL: row[8])
            var identity = AccountIdentity(verified, of: account, at: row[9])
            identity.lastUsedAt = row[10]
            if let hash = row[11] as Data?, let expiry = row[12] as Int64? {
                identity.accessToken = AccountIdentity.HandedOutToken(hash: Array(hash), expiry: expiry)
            }
            identity.revokedAt = row[13]
            return identity
        }
    }
#endif
