// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOCore

    /// The operations that wait for a thread: a state machine without threads.
    struct StoreQueue<Operation: Sendable>: Sendable {
        /// What follows from a new operation.
        enum Enqueued: Sendable, Hashable {
            /// A thread will find it.
            case waits
            /// Too many wait. It is refused.
            case full
            /// Nothing is done any more. It is refused.
            case closed
        }

        /// What a thread does next.
        enum Next: Sendable {
            /// It takes these operations, in their order.
            case take([Operation])
            /// It waits: there are none.
            case wait
            /// It ends.
            case end
        }

        private let limit: Int
        private var waiting = CircularBuffer<Operation>()
        private var isClosed = false

        /// - Parameter limit: The maximum number of operations that wait, without those that a thread has taken.
        init(limit: Int) {
            self.limit = limit
        }

        /// Whether a thread has something to do, or has to end.
        var hasWork: Bool { !waiting.isEmpty || isClosed }

        /// Takes in an operation.
        mutating func enqueue(_ operation: Operation) -> Enqueued {
            guard !isClosed else { return .closed }
            guard waiting.count < limit else { return .full }
            waiting.append(operation)
            return .waits
        }

        /// Returns what a thread does next: it takes the operations that came first, at most so many.
        mutating func next(atMost count: Int) -> Next {
            guard !isClosed else { return .end }
            let taken = Array(waiting.prefix(max(1, count)))
            guard !taken.isEmpty else { return .wait }
            waiting.removeFirst(taken.count)
            return .take(taken)
        }

        /// Refuses further operations, and lets the threads end.
        /// - Returns: The operations that waited, which fail.
        mutating func close() -> [Operation] {
            isClosed = true
            let abandoned = Array(waiting)
            waiting.removeAll()
            return abandoned
        }
    }

    extension StoreQueue.Next: Equatable where Operation: Equatable {}
#endif
