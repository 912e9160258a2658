// SPDX-License-Identifier: Apache-2.0

/// The writes that wait for the one thread that writes: a state machine without threads.
struct WriteQueue<Job: Sendable, Waiter: Sendable>: Sendable {
    /// What follows from a new write.
    enum Enqueued: Equatable, Sendable {
        /// The thread must be started: it is idle.
        case start
        /// The thread will find the write.
        case waits
        /// Too many wait. The write is refused.
        case full
        /// Nothing is written any more. The write is refused.
        case closed
    }

    /// What the thread does next.
    enum Next: Sendable {
        /// It takes these writes, in their order.
        case take([Job])
        /// None wait: it is idle from now on. It tells these who wait for that.
        case idle([Waiter])
    }

    private let limit: Int
    private var waiting: [Job] = []
    /// Whether the thread writes, or is about to be started.
    private var isRunning = false
    private var isClosed = false
    private var closers: [Waiter] = []

    /// - Parameter limit: The maximum number of writes that wait, without those that the thread has taken.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of writes that wait.
    var count: Int { waiting.count }

    mutating func enqueue(_ job: Job) -> Enqueued {
        guard !isClosed else { return .closed }
        guard waiting.count < limit else { return .full }
        waiting.append(job)
        guard !isRunning else { return .waits }
        isRunning = true
        return .start
    }

    /// Takes the writes that come next, at most so many.
    mutating func next(atMost count: Int) -> Next {
        let jobs = Array(waiting.prefix(max(1, count)))
        waiting.removeFirst(jobs.count)
        guard jobs.isEmpty else { return .take(jobs) }
        isRunning = false
        let told = closers
        closers = []
        return .idle(told)
    }

    /// Refuses further writes. Those that wait are still taken.
    /// - Parameter waiter: Who waits until the thread is idle for good, and may be ended.
    /// - Returns: Those who are told now, since the thread is idle already.
    mutating func close(_ waiter: Waiter) -> [Waiter] {
        isClosed = true
        guard isRunning else { return [waiter] }
        closers.append(waiter)
        return []
    }
}

extension WriteQueue.Next: Equatable where Job: Equatable, Waiter: Equatable {}
