// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import NIOCore

    /// One try of a transaction, on the thread of its connection. It begins with the first statement, together with which
    /// its beginning is sent.
    final class PostgreSQLAccountTransaction {
        /// What a transaction is for.
        enum Kind: Sendable, Hashable {
            case read
            /// - Parameter isAlone: Whether no other write may run meanwhile, in whatever process.
            case write(isAlone: Bool)
            case sweep

            /// The statements that begin it.
            ///
            /// A lock of a table takes no snapshot, so that whoever waited for it sees what the others have committed.
            var beginning: [AccountStatement] {
                switch self {
                case .read: [.beginRead]
                case .write(let isAlone): [.beginWrite, isAlone ? .exclude : .share]
                case .sweep: [.beginSweep]
                }
            }
        }

        /// The time in which a statement must be answered: what the server takes at most, and the way.
        static let answerTime = TimeAmount.milliseconds(3400)

        private let connection: PostgreSQLConnection
        private let kind: Kind
        private let end: NIODeadline
        private var hasBegun = false
        /// What failed first. The transaction fails with it, also where the body catches the error.
        private(set) var failure: TransactionFailure?
        /// The accounts that may be without an identity.
        private var touched: Set<AccountID> = []

        /// - Parameters:
        ///   - connection: A connection with the statements of accounts.
        ///   - kind: What it is for.
        ///   - end: The time at which it must have ended.
        init(_ connection: PostgreSQLConnection, kind: Kind, end: NIODeadline) {
            self.connection = connection
            self.kind = kind
            self.end = end
        }

        /// Commits, if the body did something. Whether each account has an identity is checked here, since no index can.
        /// - Throws: ``TransactionFailure``, also if it is not known whether it was committed.
        func commit() throws(TransactionFailure) {
            for account in touched where failure == nil {
                let question = AccountQuestion(.hasNoIdentity, [Array(account.text.utf8)])
                guard let rows = try? run(question), !rows.rows.isEmpty else { continue }
                fail(TransactionFailure(AccountStoreError(.conflict, "an account has no identity")))
            }
            if let failure { throw failure }
            guard hasBegun else { return }
            let answer = connection.runTogether([AccountQuestion(.commit)], before: deadline)
            switch answer {
            case .success(let rows) where rows.command == "COMMIT": return
            case .success: throw fail(TransactionFailure(.unexpectedAnswer, isCommitting: true))
            case .failure(let error): throw fail(TransactionFailure(error, isCommitting: true))
            }
        }

        /// Rolls back. A connection with which that fails is of no use any more.
        func rollBack() {
            guard hasBegun, connection.isUsable else { return }
            guard case .failure = connection.runTogether([AccountQuestion(.rollback)], before: deadline) else { return }
            connection.isUsable = false
        }

        /// Notes that an account may be without an identity at the end.
        func touch(_ account: AccountID) {
            touched.insert(account)
        }

        // MARK: Statements

        /// Returns the rows that a statement finds.
        func all<Record>(
            _ question: AccountQuestion, _ read: (AccountColumns) throws(AccountStoreError) -> Record
        ) throws(AccountStoreError) -> [Record] {
            let rows = try run(question)
            do throws(AccountStoreError) {
                var records: [Record] = []
                for row in rows.rows { records.append(try read(AccountColumns(row))) }
                return records
            } catch {
                throw fail(TransactionFailure(error)).error
            }
        }

        /// Returns the row that a statement finds; `nil` if there is none.
        func first<Record>(
            _ question: AccountQuestion, _ read: (AccountColumns) throws(AccountStoreError) -> Record
        ) throws(AccountStoreError) -> Record? {
            try all(question, read).first
        }

        /// Writes.
        /// - Parameter mustChange: Whether it is a conflict if no row is changed.
        /// - Returns: The number of rows that were changed.
        @discardableResult
        func write(_ question: AccountQuestion, mustChange: Bool = false) throws(AccountStoreError) -> Int {
            guard kind != .read else {
                throw fail(TransactionFailure(AccountStoreError.readsOnly)).error
            }
            let count = try run(question).count
            guard count > 0 || !mustChange else {
                let error = AccountStoreError(.conflict, "there is no record to change")
                throw fail(TransactionFailure(error)).error
            }
            return count
        }

        private func run(_ question: AccountQuestion) throws(AccountStoreError) -> PostgreSQLRows {
            // The server refuses every statement after one that failed.
            if let failure { throw failure.error }
            let beginning = hasBegun ? [] : kind.beginning.map { AccountQuestion($0) }
            hasBegun = true
            do throws(PostgreSQLStoreError) {
                return try connection.runTogether(beginning + [question], before: deadline).get()
            } catch {
                throw fail(TransactionFailure(error, isCommitting: false)).error
            }
        }

        @discardableResult
        private func fail(_ error: TransactionFailure) -> TransactionFailure {
            let first = failure ?? error
            failure = first
            return first
        }

        private var deadline: NIODeadline { min(NIODeadline.now() + Self.answerTime, end) }
    }

    extension AccountStoreError {
        /// What a body does that writes although it said that it reads.
        static let readsOnly = AccountStoreError(.conflict, "a transaction for reading cannot write")
    }
#endif
