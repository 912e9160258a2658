// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    /// An account as a row. The values are in the order of the columns, the key first.
    enum AccountRow {
        static let columns = """
            uid, created_at, last_sign_in_at, last_refresh_at, display_name, photo_url, email, email_key, \
            email_verified, disabled, valid_since, found_by_email, custom_claims, imported
            """
        static let types: [PostgreSQLType] = [
            .bytes, .number, .number, .number, .bytes, .bytes, .bytes, .bytes, .boolean, .boolean, .number, .boolean,
            .bytes, .bytes,
        ]
        static let insertion = """
            INSERT INTO oidc_broker_account (\(columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """
        static let update = """
            UPDATE oidc_broker_account SET created_at = $2, last_sign_in_at = $3, last_refresh_at = $4, \
            display_name = $5, photo_url = $6, email = $7, email_key = $8, email_verified = $9, disabled = $10, \
            valid_since = $11, found_by_email = $12, custom_claims = $13, imported = $14 WHERE uid = $1
            """

        static func values(_ account: Account) -> [[UInt8]?] {
            [
                Array(account.id.text.utf8), PostgreSQLBytes.number(account.createdAt),
                PostgreSQLBytes.number(account.lastSignInAt), account.lastRefreshAt.map { PostgreSQLBytes.number($0) },
                account.displayName.map { Array($0.utf8) }, account.photoURL.map { Array($0.utf8) },
                account.email.map { Array($0.text.utf8) }, account.emailKey.map { Array($0.utf8) },
                PostgreSQLBytes.boolean(account.isEmailVerified), PostgreSQLBytes.boolean(account.isDisabled),
                PostgreSQLBytes.number(account.validSince), PostgreSQLBytes.boolean(account.isFoundByEmail),
                account.customClaims.map { Array($0.json.utf8) }, account.imported.map { Array($0.json.utf8) },
            ]
        }

        static func read(_ row: AccountColumns) throws(AccountStoreError) -> Account {
            var account = Account(id: try row.account(0), createdAt: try row.number(1), validSince: try row.number(10))
            account.lastSignInAt = try row.number(2)
            account.lastRefreshAt = try row.numberIfAny(3)
            account.displayName = try row.textIfAny(4)
            account.photoURL = try row.textIfAny(5)
            account.email = try row.emailIfAny(6)
            account.ownsEmail = try row.bytesIfAny(7) != nil
            account.isEmailVerified = try row.boolean(8)
            account.isDisabled = try row.boolean(9)
            account.isFoundByEmail = try row.boolean(11)
            if let json = try row.textIfAny(12) {
                guard let claims = CustomClaims(imported: json) else { throw AccountStoreError.unreadable }
                account.customClaims = claims
            }
            if let json = try row.textIfAny(13) {
                guard let record = ImportedRecord(json: json) else { throw AccountStoreError.unreadable }
                account.imported = record
            }
            return account
        }
    }
#endif
