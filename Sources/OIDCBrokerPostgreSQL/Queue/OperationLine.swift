// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOConcurrencyHelpers
    import NIOCore
    import Synchronization

    /// The queue between the event loops and the threads of a store, on which the threads block.
    ///
    /// The queue is changed only while the lock is held, and the value of the lock is then whether there is work. So a
    /// thread that waits for the value misses no operation.
    final class OperationLine<Operation: Sendable>: Sendable {
        private let queue: Mutex<StoreQueue<Operation>>
        private let batch: Int
        private let hasWork = ConditionLock(value: false)

        /// - Parameters:
        ///   - limit: The maximum number of operations that wait.
        ///   - batch: The maximum number of operations that a thread takes at once.
        init(limit: Int, batch: Int) {
            queue = Mutex(StoreQueue(limit: limit))
            self.batch = batch
        }

        /// Takes in an operation.
        func enqueue(_ operation: Operation) -> StoreQueue<Operation>.Enqueued {
            change { $0.enqueue(operation) }
        }

        /// Waits for what a thread does next. It blocks.
        /// - Parameter time: The longest time to wait; `nil` for ever.
        /// - Returns: `wait` if the time is over.
        func next(within time: TimeAmount?) -> StoreQueue<Operation>.Next {
            if let time {
                let seconds = Double(max(0, time.nanoseconds)) / 1_000_000_000
                guard hasWork.lock(whenValue: true, timeoutSeconds: seconds) else { return .wait }
            } else {
                hasWork.lock(whenValue: true)
            }
            return changeLocked { $0.next(atMost: batch) }
        }

        /// Refuses further operations, and lets the threads end.
        /// - Returns: The operations that waited, which fail.
        func close() -> [Operation] {
            change { $0.close() }
        }

        private func change<Change: Sendable>(
            _ body: (inout StoreQueue<Operation>) -> Change
        ) -> Change {
            hasWork.lock()
            return changeLocked(body)
        }

        /// Changes the queue while the lock is held, and gives the lock back.
        private func changeLocked<Change: Sendable>(
            _ body: (inout StoreQueue<Operation>) -> Change
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
