// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    /// The columns of a row in the binary format of the server.
    struct PostgreSQLColumns: AccountColumns {
        private let values: [[UInt8]?]

        init(_ values: [[UInt8]?]) {
            self.values = values
        }

        func bytesIfAny(_ position: Int) throws(AccountStoreError) -> [UInt8]? {
            guard values.indices.contains(position) else { throw AccountStoreError.unreadable }
            return values[position]
        }

        func textIfAny(_ position: Int) throws(AccountStoreError) -> String? {
            try read(position) { String(validating: $0, as: UTF8.self) }
        }

        func numberIfAny(_ position: Int) throws(AccountStoreError) -> Int64? {
            try read(position) { PostgreSQLBytes.number($0) }
        }

        func booleanIfAny(_ position: Int) throws(AccountStoreError) -> Bool? {
            try read(position) { PostgreSQLBytes.boolean($0) }
        }

        private func read<Value>(
            _ position: Int, _ value: ([UInt8]) -> Value?
        ) throws(AccountStoreError) -> Value? {
            guard let bytes = try bytesIfAny(position) else { return nil }
            guard let value = value(bytes) else { throw AccountStoreError.unreadable }
            return value
        }
    }
#endif
