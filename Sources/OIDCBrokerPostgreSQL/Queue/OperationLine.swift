// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOConcurrencyHelpers
    import NIOCore
    import Synchronization

    /// The operations that wait, between the event loops and the threads of a store.
    ///
    /// The queue is changed only while the lock is held, and the value of the lock is then whether there is work. So a
    /// thread that waits for the value misses no operation.
    final class OperationLine: Sendable {
        /// The maximum number of operations that wait.
        static let limit = 10_000
        /// The maximum number of operations of a batch.
        static let batch = 256

        private let queue = Mutex(StoreQueue<PostgreSQLOperation>(limit: OperationLine.limit))
        private let hasWork = ConditionLock(value: false)

        /// Takes in an operation.
        /// - Returns: Why it is refused; `nil` if it is not.
        func enqueue(_ operation: PostgreSQLOperation) -> PostgreSQLStoreError? {
            switch change({ $0.enqueue(operation) }) {
            case .waits: nil
            case .full: PostgreSQLStoreError.busy.with("too many operations wait")
            case .closed: PostgreSQLStoreError.closed
            }
        }

        /// Waits for what a thread does next. It blocks.
        /// - Parameter time: The longest time to wait; `nil` for ever.
        /// - Returns: `wait` if the time is over.
        func next(within time: TimeAmount?) -> StoreQueue<PostgreSQLOperation>.Next {
            if let time {
                let seconds = Double(max(0, time.nanoseconds)) / 1_000_000_000
                guard hasWork.lock(whenValue: true, timeoutSeconds: seconds) else { return .wait }
            } else {
                hasWork.lock(whenValue: true)
            }
            return changeLocked { $0.next(atMost: Self.batch) }
        }

        /// Refuses further operations, fails those that wait, and lets the threads end.
        func close() {
            PostgreSQLOperation.fail(change { $0.close() }, .closed)
        }

        private func change<Change: Sendable>(
            _ body: (inout StoreQueue<PostgreSQLOperation>) -> Change
        ) -> Change {
            hasWork.lock()
            return changeLocked(body)
        }

        /// Changes the queue while the lock is held, and gives the lock back.
        private func changeLocked<Change: Sendable>(
            _ body: (inout StoreQueue<PostgreSQLOperation>) -> Change
        ) -> Change {
            let (change, has) = queue.withLock { queue in
                let change = body(&queue)
                return (change, queue.hasWork)
            }
            hasWork.unlock(withValue: has)
            return change
        }
    }
#endif
