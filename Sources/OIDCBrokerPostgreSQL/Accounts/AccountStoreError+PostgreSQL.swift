// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    extension AccountStoreError {
        static let waitedTooLong = AccountStoreError(.unavailable, "a transaction waited too long for the database")

        /// An error of a statement: a constraint that a write breaks, or a failure of the database.
        init(_ error: PostgreSQLStoreError) {
            if error.breaksConstraint {
                self = .breaksInvariant
            } else {
                self.init(.unavailable, "PostgreSQL: \(error)")
            }
        }
    }
#endif
