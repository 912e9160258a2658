// SPDX-License-Identifier: Apache-2.0

import Admission

extension LogQueue {
    /// The lines that wait for the thread that writes: without threads, outputs and time.
    ///
    /// It is bounded in lines and in bytes, those included that the thread has taken and not finished. A line that finds
    /// no room is dropped; where it would have stood, the number of dropped lines is written. Lines that a stranger causes
    /// may fill only half of the queue, so that they never displace those of sign-ins.
    struct StateMachine<Waiter: Sendable>: Sendable {
        /// What the thread takes as one.
        enum Entry: Sendable, Equatable {
            /// Lines.
            case lines(LineBatch)
            /// Lines that are no text yet.
            case records([LogRecord])
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

        /// The maximum number of lines of one entry that are no text yet. While the output takes nothing, more and more of
        /// them wait, and one list of all would be copied each time that it grows.
        static var maximumRecords: Int { 512 }

        private let lineLimit: Int
        private let byteLimit: Int
        private let batchBytes: Int
        private var waiting: [Entry] = []
        /// The lines behind those, as long as there are few enough of them to be written at once.
        private var last = LineBatch()
        /// The lines behind those that are no text yet. There are none while there is a last batch of text.
        private var records: [LogRecord] = []
        /// The number of the lines and reports that wait or are being written.
        private var count = 0
        /// The bytes of these lines.
        private var held: HeldQueue
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
        ///   - row: The row of the budget for its lines.
        init(lineLimit: Int, byteLimit: Int, batchBytes: Int, row: HeldMemory = .log) {
            held = HeldQueue(row, in: nil)
            self.lineLimit = max(2, lineLimit)
            self.byteLimit = byteLimit
            self.batchBytes = batchBytes
        }

        /// Counts the memory of lines in a budget from now on.
        mutating func count(in budget: MemoryBudget) { held.count(in: budget) }

        /// Appends a line, if there is room.
        mutating func enqueue(_ line: [UInt8]) -> Enqueued {
            if let refused = take(line.count) { return refused }
            closeRecords()
            last.append(line)
            if last.count > 1, last.bytes.count > batchBytes {
                let line = last.splitLast(capacity: batchBytes)
                waiting.append(.lines(last))
                last = line
            }
            return start()
        }

        /// Appends a line that is no text yet, if there is room.
        mutating func enqueue(_ record: LogRecord) -> Enqueued {
            if let refused = take(LogRecord.byteCount, givesWay: record.isOfStranger) { return refused }
            closeBatch(capacity: 0)
            if records.count >= Self.maximumRecords { closeRecords() }
            records.append(record)
            return start()
        }

        /// Takes the room for a line of so many bytes, and puts the report of dropped lines before it.
        /// - Parameter givesWay: Whether half of the queue is left to others.
        /// - Returns: What follows if there is none; otherwise `nil`.
        private mutating func take(_ bytes: Int, givesWay: Bool = false) -> Enqueued? {
            guard !isEnded else { return .ended }
            let entries = overflowed > 0 ? 2 : 1
            let share = givesWay ? 2 : 1
            let room = givesWay ? min(byteLimit, held.maximum) / 2 : byteLimit
            guard count + entries <= lineLimit / share, bytes <= room - held.bytes, held.take(bytes) else {
                overflowed &+= 1
                return .dropped
            }
            if overflowed > 0 {
                // What follows gets no memory in advance: as long as there is hardly any room, each line is a batch.
                closeLast(capacity: 0)
                appendReport()
            }
            count += 1
            return nil
        }

        private mutating func start() -> Enqueued {
            guard !isWriting else { return .waits }
            isWriting = true
            return .start
        }

        /// Takes all that wait.
        mutating func next() -> Next {
            closeLast(capacity: batchBytes)
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

        /// Records what became of lines that were taken.
        /// - Parameters:
        ///   - taken: Their number.
        ///   - bytes: Their bytes; of each that was no text ``LogRecord/byteCount``.
        ///   - written: How many were written, from the first one on. The others are given up.
        /// - Returns: The number of lines that are lost.
        mutating func finished(lines taken: Int, bytes: Int, written: Int) -> Int {
            count -= taken
            held.giveBack(bytes)
            let lost = max(0, taken - written)
            failed &+= lost
            return lost
        }

        /// Records what became of the report that so many lines were dropped.
        mutating func finished(reportOf lines: Int, isWritten: Bool) {
            count -= 1
            if !isWritten { failed &+= lines }
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

        /// Ends what can still grow: what follows is written after it.
        private mutating func closeLast(capacity: Int) {
            closeRecords()
            closeBatch(capacity: capacity)
        }

        private mutating func closeRecords() {
            guard !records.isEmpty else { return }
            waiting.append(.records(records))
            records = []
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
