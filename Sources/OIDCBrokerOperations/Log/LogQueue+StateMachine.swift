// SPDX-License-Identifier: Apache-2.0

extension LogQueue {
    /// The lines that wait for the thread that writes: without threads, outputs and time.
    ///
    /// It is bounded in lines and in bytes, those included that the thread has taken and not finished. A line that finds
    /// no room is dropped; where it would have stood, the number of dropped lines is written.
    struct StateMachine<Waiter: Sendable>: Sendable {
        /// What waits.
        enum Entry: Sendable, Equatable {
            /// A line.
            case line([UInt8])
            /// A line of which there is no text yet, and its ``UnwrittenLine/byteCount``, so that it need not be copied to
            /// be asked.
            case unwritten(UnwrittenLine, byteCount: Int)
            /// The place at which so many lines were dropped.
            case dropped(Int)

            fileprivate var byteCount: Int {
                switch self {
                case .line(let bytes): bytes.count
                case .unwritten(_, let byteCount): byteCount
                case .dropped: 0
                }
            }
        }

        /// What follows from a new line.
        enum Enqueued: Sendable, Equatable {
            /// The thread must be started: it is idle.
            case start
            /// The thread will find the line.
            case waits
            /// There is no room. The line is dropped.
            case dropped
            /// Nothing is written any more. The line is dropped.
            case ended
        }

        /// What the thread does next.
        enum Next: Sendable {
            /// It takes these, in their order.
            case take([Entry])
            /// None wait: it looks again after a while. To wake a thread for each line costs more than to write the line.
            case linger
            /// None wait: it is idle from now on. It tells those who wait for that.
            case idle([Waiter])
        }

        private let lineLimit: Int
        private let byteLimit: Int
        private var waiting: [Entry] = []
        /// The number and the bytes of those that wait or are being written.
        private var count = 0
        private var byteCount = 0
        /// The lines dropped for want of room that no entry reports yet.
        private var overflowed = 0
        /// The lines whose writing failed, or whose report failed, that no entry reports yet.
        private var failed = 0
        /// Whether the thread writes, or is about to be started.
        private var isWriting = false
        /// Whether it has lingered since it took entries last.
        private var hasLingered = false
        private var isEnded = false
        private var waiters: [Waiter] = []

        /// - Parameters:
        ///   - lineLimit: The maximum number of entries, at least 2: a line and the report before it.
        ///   - byteLimit: The maximum number of bytes of all lines.
        init(lineLimit: Int, byteLimit: Int) {
            self.lineLimit = max(2, lineLimit)
            self.byteLimit = byteLimit
        }

        /// Appends a line.
        mutating func enqueue(_ line: Entry) -> Enqueued {
            guard !isEnded else { return .ended }
            let entries = overflowed > 0 ? 2 : 1
            guard count + entries <= lineLimit, line.byteCount <= byteLimit - byteCount else {
                overflowed &+= 1
                return .dropped
            }
            appendReport()
            append(line)
            guard !isWriting else { return .waits }
            isWriting = true
            return .start
        }

        /// Takes all that wait.
        mutating func next() -> Next {
            // The report of the last lines has no line to come before. It cannot repeat itself: if its writing fails, it
            // waits for the next line.
            if waiting.isEmpty { appendReport() }
            guard !waiting.isEmpty else {
                guard hasLingered || isEnded || !waiters.isEmpty else {
                    hasLingered = true
                    return .linger
                }
                isWriting = false
                let told = waiters
                waiters = []
                return .idle(told)
            }
            hasLingered = false
            var entries = waiting
            waiting = []
            // As many again are to be expected.
            waiting.reserveCapacity(min(entries.count, 1024))
            if failed > 0 {
                entries.insert(.dropped(failed), at: 0)
                count += 1
                failed = 0
            }
            return .take(entries)
        }

        /// Records what became of entries that were taken.
        /// - Parameters:
        ///   - entries: The next ones of those that were taken.
        ///   - written: How many of them were written, from the first one on. The others are given up.
        /// - Returns: The number of lines that are lost.
        mutating func finished(_ entries: some Collection<Entry>, written: Int) -> Int {
            var lost = 0
            count -= entries.count
            // By their indices: an entry in a variable of its own is a copy.
            for index in entries.indices { byteCount -= entries[index].byteCount }
            for entry in entries.dropFirst(written) {
                switch entry {
                case .line, .unwritten:
                    lost += 1
                    failed &+= 1
                case .dropped(let lines):
                    failed &+= lines
                }
            }
            return lost
        }

        /// Waits until the thread is idle.
        /// - Returns: Those who are told now, since it is idle already.
        mutating func flush(_ waiter: Waiter) -> [Waiter] {
            guard isWriting else { return [waiter] }
            waiters.append(waiter)
            return []
        }

        /// Refuses further lines, and waits until the thread is idle. Those that wait are still taken.
        /// - Returns: Those who are told now, since it is idle already.
        mutating func end(_ waiter: Waiter) -> [Waiter] {
            isEnded = true
            return flush(waiter)
        }

        private mutating func appendReport() {
            guard overflowed > 0 else { return }
            append(.dropped(overflowed))
            overflowed = 0
        }

        private mutating func append(_ entry: Entry) {
            waiting.append(entry)
            count += 1
            byteCount += entry.byteCount
        }
    }
}

extension LogQueue.StateMachine.Next: Equatable where Waiter: Equatable {}
