// SPDX-License-Identifier: Apache-2.0

extension LogQueue {
    /// The lines that wait for the thread that writes: without threads, outputs and time.
    ///
    /// It is bounded in lines and in bytes, those included that the thread has taken and not finished. A line that finds
    /// no room is dropped; where it would have stood, the number of dropped lines is written.
    struct StateMachine<Waiter: Sendable>: Sendable {
        /// What the thread writes at once.
        enum Entry: Sendable, Hashable {
            /// Lines.
            case lines(LineBatch)
            /// The report that so many lines were dropped at this place.
            case dropped(Int)
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
        private let batchBytes: Int
        private var waiting: [Entry] = []
        /// The lines behind those, as long as there are few enough of them to be written at once.
        private var last = LineBatch()
        /// The number and the bytes of the lines and reports that wait or are being written.
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
        ///   - batchBytes: The maximum number of bytes that are written at once, if they are of several lines.
        init(lineLimit: Int, byteLimit: Int, batchBytes: Int) {
            self.lineLimit = max(2, lineLimit)
            self.byteLimit = byteLimit
            self.batchBytes = batchBytes
        }

        /// Appends a line, if there is room.
        /// - Parameter write: Appends it to others.
        mutating func enqueue(_ write: (_ lines: inout [UInt8]) -> Void) -> Enqueued {
            guard !isEnded else { return .ended }
            let entries = overflowed > 0 ? 2 : 1
            guard count + entries <= lineLimit else {
                overflowed &+= 1
                return .dropped
            }
            // The report of dropped lines stands before this one. What follows gets no memory in advance: as long as there
            // is hardly any room, each line is a batch.
            if overflowed > 0 { closeBatch(capacity: 0) }
            let bytesBefore = last.bytes.count
            last.append(write)
            let added = last.bytes.count - bytesBefore
            guard added <= byteLimit - byteCount else {
                last.removeLast()
                overflowed &+= 1
                return .dropped
            }
            appendReport()
            count += 1
            byteCount += added
            if last.count > 1, last.bytes.count > batchBytes {
                let line = last.splitLast(capacity: batchBytes)
                waiting.append(.lines(last))
                last = line
            }
            guard !isWriting else { return .waits }
            isWriting = true
            return .start
        }

        /// Takes all that wait.
        mutating func next() -> Next {
            closeBatch(capacity: batchBytes)
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
            if failed > 0 {
                entries.insert(.dropped(failed), at: 0)
                count += 1
                failed = 0
            }
            return .take(entries)
        }

        /// Records what became of an entry that was taken.
        /// - Parameter written: How many of its lines were written, from the first one on. The others are given up.
        /// - Returns: The number of lines that are lost.
        mutating func finished(_ entry: Entry, written: Int) -> Int {
            switch entry {
            case .lines(let lines):
                count -= lines.count
                byteCount -= lines.bytes.count
                let lost = max(0, lines.count - written)
                failed &+= lost
                return lost
            case .dropped(let lines):
                count -= 1
                if written < 1 { failed &+= lines }
                return 0
            }
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

        /// Appends the report of dropped lines, if there are any, behind the lines that wait.
        private mutating func appendReport() {
            guard overflowed > 0 else { return }
            waiting.append(.dropped(overflowed))
            count += 1
            overflowed = 0
        }

        /// Ends the last batch: what follows is written after it.
        /// - Parameter capacity: The memory that the next one gets in advance, in bytes.
        private mutating func closeBatch(capacity: Int) {
            guard last.count > 0 else { return }
            waiting.append(.lines(last))
            last = LineBatch(capacity: capacity)
        }
    }
}

extension LogQueue.StateMachine.Next: Equatable where Waiter: Equatable {}
