// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    public import Accounts
    import Logging
    public import NIOCore
    import NIOPosix
    import SingleUse
    import Synchronization

    /// A store of accounts in one PostgreSQL server, version 14 or later, which several replicas of the broker share.
    ///
    /// The database holds the invariants of `AccountTransaction` with unique indexes, foreign keys, checks and
    /// triggers. Transactions are SERIALIZABLE, and run on threads of the store, each with one connection. One that
    /// conflicts with another is retried, at most five times in all: retries that are about the same records take
    /// turns, and from the fourth try on, no other write of any process runs meanwhile. A statement takes at most three
    /// seconds. Lists of accounts are read one at a time, REPEATABLE READ, for at most thirty seconds. What was
    /// committed is on the disk when its future succeeds. If the connection ends before the commit is answered, the
    /// future fails, although the transaction may have been committed.
    ///
    /// The tables are those of ``PostgreSQLSchema``, which have to be made before. Call ``shutdown()`` when the store is
    /// no longer used.
    public final class PostgreSQLAccountStore: AccountStore {
        /// The maximum number of transactions that wait: as many as the requests of users of `AccountService`, 1,024 that
        /// read and 1,024 that write.
        public static let waitingLimit = 2048
        /// The maximum number of records that are swept in one transaction.
        static let sweepLimit = 1000
        /// The maximum number of transactions for lists that wait for their turn.
        static let waitingLists = 16

        private let line = OperationLine<AccountJob>(limit: PostgreSQLAccountStore.waitingLimit, batch: 1)
        private let lists = Lists()
        private let waitingTransactions = WaitingTransactions()
        private let threads: NIOThreadPool

        init(_ configuration: PostgreSQLConfiguration, session: PostgreSQLSession, logger: Logger) {
            threads = NIOThreadPool(numberOfThreads: configuration.threads)
            threads.start()
            let connector = PostgreSQLConnector(configuration.connection)
            let refusals = RefusalLog(logger, store: "store of accounts")
            for _ in 0..<configuration.threads {
                threads.submit { [line, lists, waitingTransactions] state in
                    // The store was shut down before the thread began.
                    guard state == .active else { return }
                    AccountThread(
                        line, waiting: waitingTransactions, connector: connector, session: session, refusals: refusals
                    ) { Self.beginNextList(lists, line, waitingTransactions) }.run()
                }
            }
        }

        deinit {
            close()
            threads.shutdownGracefully { _ in }
        }

        public func transact<Result: Sendable>(
            _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            let kind: AccountJob.Kind =
                switch mode {
                case .read: .read
                case .write: .write
                case .list: .list
                case .queue: .sweep
                }
            return enqueue(kind, on: eventLoop) { try body($0) }
        }

        /// Removes sessions and used-up entries that have expired, at most 1,000 in one transaction.
        public func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
            let batch = min(limit, Self.sweepLimit)
            let removed = enqueue(.sweep, on: eventLoop) { try $0.sweep(before: now, limit: batch) }
            return removed.flatMap { count in
                guard count == Self.sweepLimit, limit > count else { return eventLoop.makeSucceededFuture(count) }
                return self.sweep(before: now, limit: limit - count, on: eventLoop).map { count + $0 }
            }
        }

        /// The numbers of transactions that wait, together at most ``waitingLimit``.
        package var waiting: (writes: Int, reads: Int) { waitingTransactions.count }

        /// Closes all connections. Transactions that wait fail, and so does every later one. Those under way end first.
        ///
        /// Call it before the event loops are shut down.
        public func shutdown() async {
            close()
            // It fails only for a pool that cannot be shut down.
            try? await threads.shutdownGracefully()
        }

        private func enqueue<Result: Sendable>(
            _ kind: AccountJob.Kind, on eventLoop: any EventLoop,
            _ body: @escaping @Sendable (PostgreSQLAccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            let promise = eventLoop.makePromise(of: Result.self)
            let job = AccountJob(kind, deadline: NIODeadline.now() + AccountJob.patience) { transaction in
                let result = try body(transaction)
                return { promise.succeed(result) }
            } fail: { error in
                promise.fail(error)
            }
            waitingTransactions.add(kind)
            if kind == .list {
                switch lists.turns.withLock({ $0.add(job) }) {
                case .begins: break
                case .waits: return promise.futureResult
                case .refused:
                    waitingTransactions.subtract(kind)
                    promise.fail(AccountStoreError.tooManyWait)
                    return promise.futureResult
                }
            }
            switch line.enqueue(job) {
            case .waits: return promise.futureResult
            case .full: promise.fail(AccountStoreError.tooManyWait)
            case .closed: promise.fail(AccountStoreError.closed)
            }
            if kind == .list { Self.beginNextList(lists, line, waitingTransactions) }
            waitingTransactions.subtract(kind)
            return promise.futureResult
        }

        /// Whose turn it is to read a page of the list of accounts: the other threads are for all other operations.
        private final class Lists: Sendable {
            let turns = Mutex(TurnQueue<AccountJob>(limit: PostgreSQLAccountStore.waitingLists))
        }

        private static func beginNextList(
            _ lists: Lists, _ line: OperationLine<AccountJob>, _ waitingTransactions: WaitingTransactions
        ) {
            while let next = lists.turns.withLock({ $0.end() }) {
                switch line.enqueue(next) {
                case .waits: return
                case .full: next.fail(AccountStoreError.tooManyWait)
                case .closed: next.fail(AccountStoreError.closed)
                }
                waitingTransactions.subtract(.list)
            }
        }

        private func close() {
            Self.fail(lists.turns.withLock { $0.close() })
            Self.fail(line.close())
        }

        private static func fail(_ jobs: [AccountJob]) {
            for job in jobs { job.fail(AccountStoreError.closed) }
        }
    }
#endif
