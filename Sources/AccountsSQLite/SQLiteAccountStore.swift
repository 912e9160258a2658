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
    /// Other processes may open the same file, as the command line does, and wait at most five seconds for each other. A
    /// write whose turn does not come within ten seconds fails as unavailable, and takes no effect. So does every write
    /// while the file is not where it was opened.
    public final class SQLiteAccountStore: AccountStore {
        /// The maximum number of writes that wait, and of reads.
        public static let waitingLimit = 1024
        /// The maximum number of writes that share a commit.
        static let groupLimit = 64
        /// The number of threads, and of connections, that read.
        static let readerCount = 2

        let pool: DatabasePool
        private let writer: WriteThread
        private let readers = NIOThreadPool(numberOfThreads: SQLiteAccountStore.readerCount)
        private let waitingReads = Atomic(0)

        /// - Parameters:
        ///   - pool: The database.
        ///   - files: Its files, which must stay where they are.
        ///   - now: The time that the deadlines of writes are counted from and compared with.
        init(_ pool: DatabasePool, files: ServedFiles, now: @escaping @Sendable () -> NIODeadline) {
            self.pool = pool
            writer = WriteThread(pool, files: files, now: now)
            readers.start()
        }

        deinit {
            readers.shutdownGracefully { _ in }
        }

        public func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            switch mode {
            case .read, .list: read(on: eventLoop, body)
            case .write, .queue: writer.write(on: eventLoop) { try body($0) }
            }
        }

        public func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            writer.write(on: eventLoop) { try $0.sweep(before: now, limit: limit) }
        }

        /// The numbers of transactions that wait, each at most ``waitingLimit``: writes, and reads with those that run.
        package var waiting: (writes: Int, reads: Int) { (writer.waiting, waitingReads.load(ordering: .relaxed)) }

        /// Refuses further transactions, finishes the writes that wait, and closes the file. Call this once.
        /// - Throws: An error of the database.
        public func shutdown() async throws {
            try await writer.shutdown()
            try await readers.shutdownGracefully()
            // The last connection that closes moves the WAL into the database, unless it only reads.
            pool.invalidateReadOnlyConnections()
            try pool.close()
        }

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
    }
#endif
