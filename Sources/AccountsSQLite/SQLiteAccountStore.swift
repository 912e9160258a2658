// SPDX-License-Identifier: Apache-2.0

#if SQLite
    public import Accounts
    import GRDB
    public import NIOCore
    import NIOPosix
    import Synchronization

    /// A store of accounts in one SQLite file, for one process that serves.
    ///
    /// The database holds the invariants of `AccountTransaction` with unique indexes, foreign keys and triggers. It
    /// is in WAL mode, so that readers do not wait for the writer, and a transaction is on the disk when its future
    /// succeeds (`synchronous=FULL`). Writes that wait together share a commit. No call runs on an event loop.
    ///
    /// Other processes may open the same file, as the command line does, and wait at most five seconds for each other.
    public final class SQLiteAccountStore: AccountStore {
        /// The maximum number of writes that wait, and of reads.
        public static let waitingLimit = 1024
        /// The maximum number of writes that share a commit.
        static let groupLimit = 64
        /// The number of threads, and of connections, that read.
        static let readerCount = 2

        let pool: DatabasePool
        private let writers = NIOThreadPool(numberOfThreads: 1)
        private let readers = NIOThreadPool(numberOfThreads: SQLiteAccountStore.readerCount)
        private let queue = Mutex(WriteQueue<WriteJob>(limit: SQLiteAccountStore.waitingLimit))
        private let waitingReads = Atomic(0)

        init(_ pool: DatabasePool) {
            self.pool = pool
            writers.start()
            readers.start()
        }

        deinit {
            writers.shutdownGracefully { _ in }
            readers.shutdownGracefully { _ in }
        }

        public func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            switch mode {
            case .read: read(on: eventLoop, body)
            case .write: write(on: eventLoop) { try body($0) }
            }
        }

        public func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            write(on: eventLoop) { try $0.sweep(before: now, limit: limit) }
        }

        /// Finishes the writes that wait, refuses further ones, and closes the file. Call this once.
        /// - Throws: An error of the database.
        public func shutdown() async throws {
            queue.withLock { $0.close() }
            try await writers.shutdownGracefully()
            try await readers.shutdownGracefully()
            try pool.close()
        }

        // MARK: Reads

        private func read<Result: Sendable>(
            on eventLoop: any EventLoop, _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            let waiting = waitingReads.add(1, ordering: .relaxed).newValue
            guard waiting <= Self.waitingLimit else {
                waitingReads.subtract(1, ordering: .relaxed)
                return eventLoop.makeFailedFuture(AccountStoreError.tooManyWait)
            }
            return readers.runIfActive(eventLoop: eventLoop) { [self] in
                defer { waitingReads.subtract(1, ordering: .relaxed) }
                do {
                    return try pool.read { database in
                        let transaction = SQLiteAccountTransaction(database, mode: .read)
                        let result = try body(transaction)
                        try transaction.finish()
                        return result
                    }
                } catch let error as DatabaseError {
                    throw AccountStoreError(error)
                }
            }.flatMapErrorThrowing { error in
                throw error is NIOThreadPoolError.ThreadPoolInactive ? AccountStoreError.closed : error
            }
        }

        // MARK: Writes

        private func write<Result: Sendable>(
            on eventLoop: any EventLoop, _ body: @escaping @Sendable (SQLiteAccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            let promise = eventLoop.makePromise(of: Result.self)
            let job = WriteJob { transaction in
                let result = try body(transaction)
                return { promise.succeed(result) }
            } fail: { error in
                promise.fail(error)
            }
            switch queue.withLock({ $0.enqueue(job) }) {
            // A pool that shuts down hands over what waits for it, and it is written.
            case .start: writers.submit { [self] _ in writeAll() }
            case .waits: break
            case .full: promise.fail(AccountStoreError.tooManyWait)
            case .closed: promise.fail(AccountStoreError.closed)
            }
            return promise.futureResult
        }

        /// Runs on the writers' thread until no write waits.
        private func writeAll() {
            while true {
                let jobs = queue.withLock { $0.next(atMost: Self.groupLimit) }
                guard !jobs.isEmpty else { return }
                WriteGroup(jobs: jobs).run(on: pool)
            }
        }
    }

    extension AccountStoreError {
        static let tooManyWait = AccountStoreError(.unavailable, "too many transactions wait for the database")
        static let closed = AccountStoreError(.unavailable, "the database was closed")

        /// An error of SQLite: a constraint that a write breaks, or trouble.
        init(_ error: DatabaseError) {
            switch error.resultCode {
            case .SQLITE_CONSTRAINT: self.init(.conflict, "a write breaks an invariant")
            case .SQLITE_READONLY: self.init(.conflict, "a transaction for reading cannot write")
            default: self.init(.unavailable, "SQLite: \(error.extendedResultCode)")
            }
        }
    }
#endif
