// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import GRDB

    /// An account as a row. The values are in the order of the columns, the key first.
    enum AccountRow {
        static let columns = """
            uid, created_at, last_sign_in_at, last_refresh_at, display_name, photo_url, email, email_key, email_verified, \
            disabled, valid_since, found_by_email, custom_claims, imported
            """
        static let insertion = "INSERT INTO account (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        static let update = """
            UPDATE account SET created_at = ?2, last_sign_in_at = ?3, last_refresh_at = ?4, display_name = ?5, \
            photo_url = ?6, email = ?7, email_key = ?8, email_verified = ?9, disabled = ?10, valid_since = ?11, \
            found_by_email = ?12, custom_claims = ?13, imported = ?14 WHERE uid = ?1
            """

        static func values(_ account: Account) -> [(any DatabaseValueConvertible)?] {
            [
                account.id.text, account.createdAt, account.lastSignInAt, account.lastRefreshAt, account.displayName,
                account.photoURL, account.email?.text, account.emailKey, account.isEmailVerified, account.isDisabled,
                account.validSince, account.isFoundByEmail, account.customClaims?.json,
                account.imported?.json,
            ]
        }

        static func read(_ row: Row) throws -> Account {
            guard let id = AccountID(row[0] as String) else { throw AccountStoreError.unreadable }
            var account = Account(id: id, createdAt: row[1], validSince: row[10])
            account.lastSignInAt = row[2]
            account.lastRefreshAt = row[3]
            account.displayName = row[4]
            account.photoURL = row[5]
            account.email = try (row[6] as String?).map { try email($0) }
            account.ownsEmail = (row[7] as String?) != nil
            account.isEmailVerified = row[8]
            account.isDisabled = row[9]
            account.isFoundByEmail = row[11]
            account.customClaims = try (row[12] as String?).map { json in
                guard let claims = CustomClaims(imported: json) else { throw AccountStoreError.unreadable }
                return claims
            }
            account.imported = try (row[13] as String?).map { json in
                guard let record = ImportedRecord(json: json) else { throw AccountStoreError.unreadable }
                return record
            }
            return account
        }

        static func email(_ text: String) throws -> EmailAddress {
            guard let email = EmailAddress(text) else { throw AccountStoreError.unreadable }
            return email
        }
    }

    extension AccountStoreError {
        /// A record that no version of this program wrote.
        static let unreadable = AccountStoreError(.unavailable, "a record cannot be read")
    }
#endif
