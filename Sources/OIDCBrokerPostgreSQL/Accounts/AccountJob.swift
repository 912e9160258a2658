// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore

    /// A transaction that waits for a thread: its body, and where its result goes.
    struct AccountJob: Sendable {
        /// What it is for.
        enum Kind: Sendable, Hashable {
            case read, write
            /// What needs not be serializable, since it locks the rows that it decides about.
            case sweep
            /// A page of the list of accounts.
            case list
        }

        /// The time after which no try of a transaction begins: the caller has given up, and must not be
        /// surprised by it. A write has ended after as long again.
        static let patience = TimeAmount.seconds(10)
        /// The time after which whatever reads has ended.
        static let longestRead = TimeAmount.seconds(30)

        let kind: Kind
        /// The time from which no try begins.
        let deadline: NIODeadline
        /// Runs the body once. What it returns delivers the result, once it has been committed.
        let run: @Sendable (PostgreSQLAccountTransaction) throws -> @Sendable () -> Void
        /// Delivers an error.
        let fail: @Sendable (any Error) -> Void

        init(
            _ kind: Kind, deadline: NIODeadline,
            run: @escaping @Sendable (PostgreSQLAccountTransaction) throws -> @Sendable () -> Void,
            fail: @escaping @Sendable (any Error) -> Void
        ) {
            self.kind = kind
            self.deadline = deadline
            self.run = run
            self.fail = fail
        }

        /// Begins a try.
        /// - Parameters:
        ///   - connection: The connection.
        ///   - exclusion: What a write excludes while it runs.
        ///   - records: The records that the try before was about.
        ///   - now: The time at which it begins.
        func transaction(
            on connection: PostgreSQLConnection, excluding exclusion: WriteExclusion, records: RecordLocks,
            at now: NIODeadline
        ) -> PostgreSQLAccountTransaction {
            switch kind {
            case .read: PostgreSQLAccountTransaction(connection, kind: .read, end: now + Self.longestRead)
            case .list: PostgreSQLAccountTransaction(connection, kind: .list, end: now + Self.longestRead)
            case .write:
                PostgreSQLAccountTransaction(
                    connection, kind: .write(exclusion), records: records, end: now + Self.patience)
            case .sweep: PostgreSQLAccountTransaction(connection, kind: .sweep, end: now + Self.patience)
            }
        }
    }
#endif
