// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import GRDB

    extension AccountStoreError {
        static let waitedTooLong = AccountStoreError(.unavailable, "a write waited too long for the database")
        static let notInPlace = AccountStoreError(
            .unavailable, "the database was deleted, moved or replaced: put it back, or restart")

        /// An error of SQLite: a constraint that a write breaks, or a failure of the database.
        init(_ error: DatabaseError) {
            switch error.resultCode {
            case .SQLITE_CONSTRAINT: self = .breaksInvariant
            case .SQLITE_READONLY: self = .readsOnly
            default: self.init(.unavailable, "SQLite: \(error.extendedResultCode)")
            }
        }

        /// A failure that no write of a transaction caused.
        init(databaseFailure error: any Error) {
            let code = (error as? DatabaseError).map { "SQLite: \($0.extendedResultCode)" }
            self.init(.unavailable, code ?? "the database failed")
        }
    }
#endif
