// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import GRDB
    import NIOCore

    /// A write: its body, and where its result goes.
    struct WriteJob: Sendable {
        /// The time from which its body does not run any more.
        let deadline: NIODeadline
        /// Runs the body. What it returns delivers the result, once it has been committed.
        let run: @Sendable (SQLiteAccountTransaction) throws -> @Sendable () -> Void
        /// Delivers an error.
        let fail: @Sendable (any Error) -> Void
    }

    /// Writes that share a commit, since waiting for the disk takes longer than the writes themselves. Each has a savepoint
    /// of its own: one that throws leaves nothing, and the others are not affected.
    struct WriteGroup {
        let jobs: [WriteJob]
        /// The files of the database.
        let files: ServedFiles
        /// The time that the deadlines are compared with.
        let now: @Sendable () -> NIODeadline

        private enum Outcome {
            /// What delivers the results.
            case committed([@Sendable () -> Void])
            case failed(WriteAttempts.Failure, AccountStoreError)
        }

        /// Runs the writes, and delivers their results after the commit. ``WriteAttempts`` decides what happens to which
        /// write where the database fails.
        func run(on pool: DatabasePool) {
            var attempts = WriteAttempts(deadlines: jobs.map(\.deadline))
            while true {
                switch attempts.next(at: now()) {
                case .refuse(let late): refuse(late, AccountStoreError.waitedTooLong)
                case .attempt(let writes):
                    switch transact(writes, of: attempts, on: pool) {
                    case .committed(let deliveries):
                        attempts.committed()
                        for deliver in deliveries { deliver() }
                    case .failed(let failure, let error): refuse(attempts.failed(failure), error)
                    }
                case .done: return
                }
            }
        }

        private func refuse(_ writes: [Int], _ error: AccountStoreError) {
            for write in writes { jobs[write].fail(error) }
        }

        private func transact(_ writes: [Int], of attempts: WriteAttempts, on pool: DatabasePool) -> Outcome {
            // A commit would succeed, and be lost.
            guard files.areInPlace else { return .failed(.ofAll, AccountStoreError.notInPlace) }
            var deliveries: [@Sendable () -> Void] = []
            var hasBegun = false
            do {
                try pool.writeWithoutTransaction { database in
                    try database.inTransaction(.immediate) {
                        hasBegun = true
                        for write in writes {
                            let job = jobs[write]
                            // The beginning and the writes before this one may have taken long.
                            guard !attempts.isLate(write, at: now()) else {
                                deliveries.append { job.fail(AccountStoreError.waitedTooLong) }
                                continue
                            }
                            deliveries.append(try Self.attempt(job, database))
                        }
                        return .commit
                    }
                }
                return .committed(deliveries)
            } catch {
                let isBusy = (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
                return .failed(hasBegun && !isBusy ? .ofOne : .ofAll, AccountStoreError(databaseFailure: error))
            }
        }

        /// Runs one write in a savepoint.
        /// - Returns: What delivers its result or its error.
        /// - Throws: An error of the database that is not this write's fault.
        private static func attempt(_ job: WriteJob, _ database: Database) throws -> @Sendable () -> Void {
            let transaction = SQLiteAccountTransaction(database, mode: .write)
            var delivery: @Sendable () -> Void = {}
            do {
                try database.inSavepoint {
                    delivery = try job.run(transaction)
                    try transaction.finish()
                    return .commit
                }
                return delivery
            } catch {
                if let failure = transaction.databaseFailure { throw failure }
                if let error = error as? DatabaseError, error.resultCode != .SQLITE_CONSTRAINT { throw error }
                return { job.fail((error as? DatabaseError).map { AccountStoreError($0) } ?? error) }
            }
        }
    }
#endif
