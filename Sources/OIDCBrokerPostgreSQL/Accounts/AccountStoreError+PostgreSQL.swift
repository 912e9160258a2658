// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    extension AccountStoreError {
        static let tooManyWait = AccountStoreError(.unavailable, "too many transactions wait for the database")
        static let waitedTooLong = AccountStoreError(.unavailable, "a transaction waited too long for the database")
        static let closed = AccountStoreError(.unavailable, "the database was closed")
        /// A record that no version of this program wrote.
        static let unreadable = AccountStoreError(.unavailable, "a record cannot be read")

        /// An error of a statement: a constraint that a write breaks, or trouble.
        init(_ error: PostgreSQLStoreError) {
            if error.breaksConstraint {
                self.init(.conflict, "a write breaks an invariant")
            } else {
                self.init(.unavailable, "PostgreSQL: \(error)")
            }
        }
    }
#endif
