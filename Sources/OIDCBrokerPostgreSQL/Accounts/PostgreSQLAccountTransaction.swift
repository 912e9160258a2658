// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import NIOCore

    /// One try of a transaction, on the thread of its connection. It begins with the first statement, together with which
    /// its beginning is sent.
    final class PostgreSQLAccountTransaction: SQLAccountTransaction {
        /// What a transaction is for.
        enum Kind: Sendable, Hashable {
            case read
            case list
            case write(WriteExclusion)
            case sweep

            /// The statements that begin it.
            ///
            /// A lock of a table takes no snapshot, so that a transaction that waited for it sees what the others have
            /// committed.
            var beginning: [TransactionStatement] {
                switch self {
                case .read: [.beginRead]
                case .list: [.beginList]
                case .write(.everything): [.beginWrite, .exclude]
                case .write: [.beginWrite, .share]
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
        /// The locks that it holds until its end.
        private let locks: [Int64]
        /// The records that it was about so far, for the next try.
        private(set) var records = RecordLocks()

        /// - Parameters:
        ///   - connection: A connection with the statements of accounts.
        ///   - kind: What it is for.
        ///   - records: The records that the try before was about. They are locked if the kind says so.
        ///   - end: The time at which it must have ended.
        init(_ connection: PostgreSQLConnection, kind: Kind, records: RecordLocks = RecordLocks(), end: NIODeadline) {
            self.connection = connection
            self.kind = kind
            self.end = end
            locks = kind == .write(.sameRecords) ? records.keys : []
        }

        /// Commits, if the body did something.
        /// - Throws: ``TransactionFailure``, also if it is not known whether it was committed.
        func commit() throws(TransactionFailure) {
            if let failure { throw failure }
            guard hasBegun else { return }
            switch finish(by: .commit) {
            case .success(let rows) where rows.command == "COMMIT": break
            case .success: throw fail(TransactionFailure(.unexpectedAnswer, isCommitting: true))
            case .failure(let error): throw fail(TransactionFailure(error, isCommitting: true))
            }
        }

        /// Rolls back. A connection with which that fails is of no use any more.
        func rollBack() {
            guard hasBegun, connection.isUsable else { return }
            if case .failure = finish(by: .rollback) { connection.isUsable = false }
        }

        /// Ends it, and lets others have the records, for which the server does not wait to be asked: it does not notice
        /// for hours that a session without a transaction is of a process that was stopped or cut off. A connection with
        /// which the latter fails is of no use any more, and its end unlocks them.
        /// - Returns: The answer to the end.
        private func finish(by statement: TransactionStatement) -> PostgreSQLConnection.Answer {
            let unlocking = locks.isEmpty ? [] : [[AccountQuestion(.unlockRecords)]]
            let answers = connection.runEach([[AccountQuestion(statement)]] + unlocking, before: deadline)
            if !locks.isEmpty, case .failure? = answers.last { connection.isUsable = false }
            return answers.first ?? .failure(.unexpectedAnswer)
        }

        // MARK: Statements

        func find<Record: AccountRecord>(
            _ statement: AccountStatement, _ values: [AccountValue]
        ) throws(AccountStoreError) -> [Record] {
            let rows = try run(AccountQuestion(statement, values))
            do throws(AccountStoreError) {
                var records: [Record] = []
                for row in rows.rows { records.append(try Record(row: PostgreSQLColumns(row))) }
                return records
            } catch {
                throw fail(TransactionFailure(error)).error
            }
        }

        func write(
            _ statement: AccountStatement, _ values: [AccountValue], mustChange: Bool
        ) throws(AccountStoreError) -> Int {
            guard kind != .read, kind != .list else {
                throw fail(TransactionFailure(AccountStoreError.readsOnly)).error
            }
            let count = try run(AccountQuestion(statement, values)).count
            guard count > 0 || !mustChange else { throw fail(TransactionFailure(AccountStoreError.noRecord)).error }
            return count
        }

        /// The number of statements that are sent before an answer is read: their answers fit what sockets hold.
        private static let sentAtOnce = 100

        func writeEach(
            _ statement: AccountStatement, _ rows: [[AccountValue]]
        ) throws(AccountStoreError) -> [Int] {
            // The first one begins the transaction, if it has not begun.
            guard let first = rows.first else { return [] }
            var counts = [try write(statement, first, mustChange: false)]
            while counts.count < rows.count {
                let questions = rows[counts.count...].prefix(Self.sentAtOnce).map { AccountQuestion(statement, $0) }
                for question in questions { records.note(question) }
                for answer in connection.runEach(questions.map { [$0] }, before: deadline) {
                    do throws(PostgreSQLStoreError) {
                        counts.append(try answer.get().count)
                    } catch {
                        throw fail(TransactionFailure(error, isCommitting: false)).error
                    }
                }
            }
            return counts
        }

        private func run(_ question: AccountQuestion) throws(AccountStoreError) -> PostgreSQLRows {
            // The server refuses every statement after one that failed.
            if let failure { throw failure.error }
            let beginning = hasBegun ? [] : kind.beginning.map { AccountQuestion($0) }
            let taken = hasBegun ? [] : locks.map { AccountQuestion(.lockRecord, [.number($0)]) }
            hasBegun = true
            records.note(question)
            // The locks are no part of the transaction, which has its snapshot later. They are sent with its beginning, so
            // that the server, which ends a transaction in which nothing is asked, holds none outside of it. They only put
            // tries in order: where one is not to be had in the time of a statement, the transaction runs without it.
            let groups = (taken.isEmpty ? [] : [taken]) + [beginning + [question]]
            let deadline = min(NIODeadline.now() + Self.answerTime * groups.count, end)
            do throws(PostgreSQLStoreError) {
                return try (connection.runEach(groups, before: deadline).last ?? .failure(.unexpectedAnswer)).get()
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
#endif
