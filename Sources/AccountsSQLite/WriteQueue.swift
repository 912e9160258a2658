// SPDX-License-Identifier: Apache-2.0

/// The writes that wait for the one thread that writes: a state machine without threads.
struct WriteQueue<Job> {
    /// What follows from a new write.
    enum Enqueued: Equatable {
        /// The thread must be started: it is idle.
        case start
        /// The thread will find the write.
        case waits
        /// Too many wait. The write is refused.
        case full
        /// Nothing is written any more. The write is refused.
        case closed
    }

    private let limit: Int
    private var waiting: [Job] = []
    private var isRunning = false
    private var isClosed = false

    /// - Parameter limit: The maximum number of writes that wait, without those that the thread has taken.
    init(limit: Int) {
        self.limit = limit
    }

    mutating func enqueue(_ job: Job) -> Enqueued {
        guard !isClosed else { return .closed }
        guard waiting.count < limit else { return .full }
        waiting.append(job)
        guard !isRunning else { return .waits }
        isRunning = true
        return .start
    }

    /// Takes the writes that come next, in their order. If there are none, the thread is idle from then on.
    mutating func next(atMost count: Int) -> [Job] {
        let jobs = Array(waiting.prefix(max(1, count)))
        waiting.removeFirst(jobs.count)
        if jobs.isEmpty { isRunning = false }
        return jobs
    }

    /// Refuses further writes. Those that wait are still taken.
    mutating func close() {
        isClosed = true
    }
}
