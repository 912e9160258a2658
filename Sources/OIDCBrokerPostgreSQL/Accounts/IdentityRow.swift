// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    /// An identity as a row.
    enum IdentityRow {
        static let columns = """
            issuer, subject, uid, provider_id, email, email_verified, private_relay, display_name, photo_url, \
            created_at, last_used_at, token_hash, token_expiry, revoked_at
            """
        static let types: [PostgreSQLType] = [
            .bytes, .bytes, .bytes, .bytes, .bytes, .boolean, .boolean, .bytes, .bytes, .number, .number, .bytes,
            .number, .number,
        ]
        /// Finds the row of an issuer and a subject by the index, which has their hashes: an issuer may be longer than an
        /// index permits.
        static let isOfKey = """
            sha256(issuer) = sha256($1) AND sha256(subject) = sha256($2) AND issuer = $1 AND subject = $2
            """
        static let insertion = """
            INSERT INTO oidc_broker_identity (\(columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """
        static let update = """
            UPDATE oidc_broker_identity SET uid = $3, provider_id = $4, email = $5, email_verified = $6, \
            private_relay = $7, display_name = $8, photo_url = $9, created_at = $10, last_used_at = $11, \
            token_hash = $12, token_expiry = $13, revoked_at = $14 WHERE \(isOfKey)
            """

        static func key(_ key: IdentityKey) -> [[UInt8]?] { [Array(key.issuer.utf8), Array(key.subject.utf8)] }

        static func values(_ identity: AccountIdentity) -> [[UInt8]?] {
            let verified = identity.verified
            return key(verified.key) + [
                Array(identity.account.text.utf8), Array(verified.providerID.utf8),
                verified.email.map { Array($0.text.utf8) }, PostgreSQLBytes.boolean(verified.isEmailProved),
                PostgreSQLBytes.boolean(verified.isPrivateRelay), verified.displayName.map { Array($0.utf8) },
                verified.photoURL.map { Array($0.utf8) }, PostgreSQLBytes.number(identity.createdAt),
                PostgreSQLBytes.number(identity.lastUsedAt), identity.accessToken?.hash,
                identity.accessToken.map { PostgreSQLBytes.number($0.expiry) },
                identity.revokedAt.map { PostgreSQLBytes.number($0) },
            ]
        }

        static func read(_ row: AccountColumns) throws(AccountStoreError) -> AccountIdentity {
            let verified = VerifiedIdentity(
                IdentityKey(issuer: try row.text(0), subject: try row.text(1)), providerID: try row.text(3),
                email: try row.emailIfAny(4), isEmailProved: try row.boolean(5), isPrivateRelay: try row.boolean(6),
                displayName: try row.textIfAny(7), photoURL: try row.textIfAny(8))
            var identity = AccountIdentity(verified, of: try row.account(2), at: try row.number(9))
            identity.lastUsedAt = try row.number(10)
            if let hash = try row.bytesIfAny(11), let expiry = try row.numberIfAny(12) {
                identity.accessToken = AccountIdentity.HandedOutToken(hash: hash, expiry: expiry)
            }
            identity.revokedAt = try row.numberIfAny(13)
            return identity
        }
    }
#endif
