// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts

    /// Why a transaction failed, and whether it may be run again. It had no effect, unless the server never answered to
    /// its commit, which makes a failure that is not run again.
    struct TransactionFailure: Error, Sendable, Hashable {
        /// Whether a further try may succeed.
        enum Remedy: Sendable, Hashable {
            /// None would succeed, or it is not known whether this one was committed.
            case none
            /// It conflicted with another transaction.
            case again
            /// It may have conflicted with another transaction. If it fails while no other write runs, it is at fault
            /// itself.
            case alone
            /// The connection ended before the commit was sent.
            case anotherConnection
        }

        /// The error that the caller gets.
        let error: AccountStoreError
        /// What the server or the connection said; `nil` if it is nothing of theirs.
        let cause: PostgreSQLStoreError?
        let remedy: Remedy

        /// A failure that no further try changes.
        init(_ error: AccountStoreError) {
            self.error = error
            cause = nil
            remedy = .none
        }

        /// A failure of the server or of the connection.
        /// - Parameter isCommitting: Whether the commit was sent already.
        init(_ error: PostgreSQLStoreError, isCommitting: Bool) {
            self.error = AccountStoreError(error)
            cause = error
            remedy =
                if error.isSerializationFailure {
                    // The server says of a commit, too, that it did not happen.
                    .again
                } else if error.mayBeSerializationFailure {
                    .alone
                } else if error == .closed, !isCommitting {
                    .anotherConnection
                } else {
                    .none
                }
        }
    }
#endif
