// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    /// The columns of a row, by their positions. A column that is not what is expected is the error of a record that no
    /// version of this program wrote.
    struct AccountColumns: Sendable {
        private let values: [[UInt8]?]

        init(_ values: [[UInt8]?]) {
            self.values = values
        }

        func bytesIfAny(_ position: Int) throws(AccountStoreError) -> [UInt8]? {
            guard values.indices.contains(position) else { throw AccountStoreError.unreadable }
            return values[position]
        }

        func bytes(_ position: Int) throws(AccountStoreError) -> [UInt8] {
            guard let bytes = try bytesIfAny(position) else { throw AccountStoreError.unreadable }
            return bytes
        }

        func textIfAny(_ position: Int) throws(AccountStoreError) -> String? {
            guard let bytes = try bytesIfAny(position) else { return nil }
            guard let text = String(validating: bytes, as: UTF8.self) else { throw AccountStoreError.unreadable }
            return text
        }

        func text(_ position: Int) throws(AccountStoreError) -> String {
            guard let text = try textIfAny(position) else { throw AccountStoreError.unreadable }
            return text
        }

        func numberIfAny(_ position: Int) throws(AccountStoreError) -> Int64? {
            guard let bytes = try bytesIfAny(position) else { return nil }
            guard let number = PostgreSQLBytes.number(bytes) else { throw AccountStoreError.unreadable }
            return number
        }

        func number(_ position: Int) throws(AccountStoreError) -> Int64 {
            guard let number = try numberIfAny(position) else { throw AccountStoreError.unreadable }
            return number
        }

        func boolean(_ position: Int) throws(AccountStoreError) -> Bool {
            guard let value = PostgreSQLBytes.boolean(try bytes(position)) else { throw AccountStoreError.unreadable }
            return value
        }

        func account(_ position: Int) throws(AccountStoreError) -> AccountID {
            guard let id = AccountID(try text(position)) else { throw AccountStoreError.unreadable }
            return id
        }

        func emailIfAny(_ position: Int) throws(AccountStoreError) -> EmailAddress? {
            guard let text = try textIfAny(position) else { return nil }
            guard let email = EmailAddress(text) else { throw AccountStoreError.unreadable }
            return email
        }
    }
#endif
