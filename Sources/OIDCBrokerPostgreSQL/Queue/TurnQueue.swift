// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// What runs one at a time, and what waits for its turn: a state machine without threads.
    struct TurnQueue<Job: Sendable>: Sendable {
        /// What follows from a new job.
        enum Added: Sendable, Hashable {
            /// It is its turn. ``TurnQueue/end()`` follows.
            case begins
            /// ``TurnQueue/end()`` returns it.
            case waits
            /// Too many wait, or nothing is done any more. It is refused.
            case refused
        }

        private let limit: Int
        private var isTaken = false
        private var isClosed = false
        private var waiting: [Job] = []

        /// - Parameter limit: The maximum number of jobs that wait.
        init(limit: Int) {
            self.limit = limit
        }

        /// Takes in a job.
        mutating func add(_ job: Job) -> Added {
            guard !isClosed, waiting.count < limit else { return .refused }
            guard isTaken else {
                isTaken = true
                return .begins
            }
            waiting.append(job)
            return .waits
        }

        /// The job whose turn it was has ended.
        /// - Returns: The job whose turn it is; `nil` if none waits.
        mutating func end() -> Job? {
            isTaken = !waiting.isEmpty
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }

        /// Refuses further jobs.
        /// - Returns: The jobs that waited, which fail.
        mutating func close() -> [Job] {
            isClosed = true
            defer { waiting = [] }
            return waiting
        }
    }
#endif
