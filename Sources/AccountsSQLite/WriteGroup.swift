// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import GRDB

    /// A write: its body, and where its result goes.
    struct WriteJob: Sendable {
        /// Runs the body. What it returns delivers the result, once it has been committed.
        let run: @Sendable (SQLiteAccountTransaction) throws -> @Sendable () -> Void
        /// Delivers an error.
        let fail: @Sendable (any Error) -> Void

        init(
            run: @escaping @Sendable (SQLiteAccountTransaction) throws -> @Sendable () -> Void,
            fail: @escaping @Sendable (any Error) -> Void
        ) {
            self.run = run
            self.fail = fail
        }
    }

    /// Writes that share a commit, since waiting for the disk takes longer than the writes themselves. Each has a savepoint
    /// of its own: one that throws leaves nothing, and the others are not affected.
    struct WriteGroup {
        let jobs: [WriteJob]

        /// Runs the writes, and delivers their results after the commit. If the database fails, each write is tried once
        /// more on its own, so that one that cannot be written, as where the disk is full, does not fail the others.
        func run(on pool: DatabasePool) {
            var deliveries: [@Sendable () -> Void] = []
            do {
                try pool.writeWithoutTransaction { database in
                    try database.inTransaction(.immediate) {
                        deliveries = try jobs.map { try Self.attempt($0, database) }
                        return .commit
                    }
                }
            } catch {
                guard jobs.count > 1 else {
                    for job in jobs { job.fail(Self.unavailable(error)) }
                    return
                }
                for job in jobs { WriteGroup(jobs: [job]).run(on: pool) }
                return
            }
            for deliver in deliveries { deliver() }
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
                if let trouble = transaction.trouble { throw trouble }
                if let error = error as? DatabaseError, error.resultCode != .SQLITE_CONSTRAINT { throw error }
                return { job.fail((error as? DatabaseError).map { AccountStoreError($0) } ?? error) }
            }
        }

        private static func unavailable(_ error: any Error) -> AccountStoreError {
            switch error {
            case let error as AccountStoreError: error
            case let error as DatabaseError: AccountStoreError(error)
            default: AccountStoreError(.unavailable, "the database failed")
            }
        }
    }
#endif
