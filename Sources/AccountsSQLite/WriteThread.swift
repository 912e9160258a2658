// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import GRDB
    import NIOCore
    import NIOPosix
    import Synchronization

    /// The one thread that writes, and the writes that wait for it.
    final class WriteThread: Sendable {
        /// The time after which the body of a write does not run any more: the caller has given up, and must not be
        /// surprised by it. A connection waits for half of it for another process.
        static let patience = TimeAmount.seconds(10)

        private let pool: DatabasePool
        private let files: ServedFiles
        private let now: @Sendable () -> NIODeadline
        private let threads = NIOThreadPool(numberOfThreads: 1)
        private let queue = Mutex(
            WriteQueue<WriteJob, CheckedContinuation<Void, Never>>(limit: SQLiteAccountStore.waitingLimit))

        /// - Parameters:
        ///   - pool: The database.
        ///   - files: Its files.
        ///   - now: The time that deadlines are counted from and compared with.
        init(_ pool: DatabasePool, files: ServedFiles, now: @escaping @Sendable () -> NIODeadline) {
            self.pool = pool
            self.files = files
            self.now = now
            threads.start()
        }

        deinit {
            threads.shutdownGracefully { _ in }
        }

        func write<Result: Sendable>(
            on eventLoop: any EventLoop, _ body: @escaping @Sendable (SQLiteAccountTransaction) throws -> Result
        ) -> EventLoopFuture<Result> {
            let promise = eventLoop.makePromise(of: Result.self)
            let job = WriteJob(deadline: now() + Self.patience) { transaction in
                let result = try body(transaction)
                return { promise.succeed(result) }
            } fail: { error in
                promise.fail(error)
            }
            switch queue.withLock({ $0.enqueue(job) }) {
            case .start: start()
            case .waits: break
            case .full: promise.fail(AccountStoreError.tooManyWait)
            case .closed: promise.fail(AccountStoreError.closed)
            }
            return promise.futureResult
        }

        /// The number of writes that wait.
        var waiting: Int { queue.withLock { $0.count } }

        /// Refuses further writes, and ends the thread after the last of those that wait.
        func shutdown() async throws {
            // A pool that is ended calls what waits for it on a thread of its own, or of its caller. So none may wait.
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let told = queue.withLock { $0.close(continuation) }
                for waiter in told { waiter.resume() }
            }
            try await threads.shutdownGracefully()
        }

        private func start() {
            threads.submit { [self] state in
                switch state {
                case .active: takeAll { WriteGroup(jobs: $0, files: files, now: now).run(on: pool) }
                // This may be an event loop, where nothing may be written.
                case .cancelled: takeAll { for job in $0 { job.fail(AccountStoreError.closed) } }
                }
            }
        }

        /// Returns when no write waits.
        private func takeAll(_ take: ([WriteJob]) -> Void) {
            while true {
                switch queue.withLock({ $0.next(atMost: SQLiteAccountStore.groupLimit) }) {
                case .take(let jobs): take(jobs)
                case .idle(let told):
                    for waiter in told { waiter.resume() }
                    return
                }
            }
        }
    }
#endif
