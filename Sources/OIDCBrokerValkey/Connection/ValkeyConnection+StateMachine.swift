// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension ValkeyConnection {
    /// The commands that wait for an answer on one connection, and their deadlines. It performs no I/O and has no
    /// clock.
    ///
    /// The server answers in the order of the commands. Anything else ends the connection, since later answers could
    /// not be matched to their commands.
    ///
    /// Where standbys are waited for, the answers of commands that write are held back until the `WAIT` that was
    /// written with them is answered.
    struct StateMachine<Waiter> {
        /// The maximum number of commands that wait for an answer.
        static var maximumCommands: Int { 1024 }
        /// The maximum length of the commands that wait for an answer, in bytes.
        static var maximumBytes: Int { 8_388_608 }
        /// The time in which a command must be answered.
        static var answerTime: TimeAmount { .milliseconds(400) }
        /// The time for which the server waits for standbys, in milliseconds.
        static var confirmationMilliseconds: Int64 { 300 }
        /// The time by which an answer comes later because standbys are waited for.
        static var confirmationTime: TimeAmount { .milliseconds(confirmationMilliseconds) }

        private enum Question {
            case command(Waiter, isHeld: Bool)
            case confirmation
        }

        private struct Outstanding {
            let question: Question
            let byteCount: Int
            let deadline: NIODeadline
        }

        /// An answer that was held back.
        struct Held {
            let waiter: Waiter
            let answer: RESPValue
        }

        private let standbys: Int
        private var outstanding = CircularBuffer<Outstanding>()
        /// What was answered since the last `WAIT` was, and has to be confirmed.
        private var held: [Held] = []
        private var byteCount = 0
        /// Whether a timer is set, which is no later than the deadline of the oldest command.
        private var hasTimer = false
        /// Whether what was not written yet has to be confirmed.
        private var needsConfirmation = false
        /// Whether a `WAIT` was written and not answered.
        private var isConfirming = false
        /// Whether commands are taken.
        private(set) var isOpen = true

        /// - Parameter standbys: The number of standbys that must have what is written; 0 if none is waited for.
        init(standbys: Int = 0) {
            self.standbys = standbys
        }

        /// The end of the connection.
        struct End {
            /// Why it ends.
            let error: ValkeyStoreError
            /// What has to fail, in order.
            let waiters: [Waiter]
        }

        enum SendAction {
            /// Write the command, and set the timer if there is a time.
            case write(timer: NIODeadline?)
            /// Fail the command without writing it.
            case refuse(ValkeyStoreError)
        }

        /// Takes a command.
        mutating func send(
            _ waiter: Waiter, byteCount count: Int, writes: Bool = false, now: NIODeadline
        ) -> SendAction {
            guard isOpen else { return .refuse(.closed) }
            guard outstanding.count + held.count < Self.maximumCommands, count <= Self.maximumBytes - byteCount else {
                return .refuse(.busy)
            }
            let isHeld = writes && standbys > 0
            var deadline = now + Self.answerTime
            if isHeld { deadline = deadline + Self.confirmationTime }
            // It is written after the confirmation of what was written before.
            if isConfirming { deadline = deadline + Self.confirmationTime }
            needsConfirmation = needsConfirmation || isHeld
            byteCount += count
            return .write(timer: append(.command(waiter, isHeld: isHeld), byteCount: count, deadline: deadline))
        }

        enum WriteAction {
            /// Write nothing before the next ``AnswerAction/release(_:isConfirmed:)``.
            case hold
            /// Write the commands that were taken and then this one, and set the timer if there is a time.
            case write(confirmation: RESPCommand?, timer: NIODeadline?)
        }

        /// The commands that were taken since the last write are to be written.
        mutating func beginWrite(now: NIODeadline) -> WriteAction {
            guard !isConfirming else { return .hold }
            guard needsConfirmation else { return .write(confirmation: nil, timer: nil) }
            needsConfirmation = false
            isConfirming = true
            let timer = append(
                .confirmation, byteCount: 0, deadline: now + Self.answerTime + Self.confirmationTime)
            let command = RESPCommand("WAIT", .number(Int64(standbys)), .number(Self.confirmationMilliseconds))
            return .write(confirmation: command, timer: timer)
        }

        /// Appends a question, whose deadline is no earlier than that of the one before.
        /// - Returns: The time for which to set the timer; `nil` if it is set.
        private mutating func append(
            _ question: Question, byteCount: Int, deadline: NIODeadline
        ) -> NIODeadline? {
            let end = max(deadline, outstanding.last?.deadline ?? deadline)
            outstanding.append(Outstanding(question: question, byteCount: byteCount, deadline: end))
            guard !hasTimer else { return nil }
            hasTimer = true
            return end
        }

        enum AnswerAction {
            /// Give the answer to this waiter.
            case deliver(Waiter)
            /// Give the answer to this waiter, and close the connection.
            case deliverAndClose(Waiter, End)
            /// Do nothing: it is not known yet whether standbys have it.
            case hold
            /// Give the answers that were held back to their waiters, and write what was not written meanwhile.
            case release([Held], isConfirmed: Bool)
            /// Close the connection: nothing was asked.
            case close(End)
            /// Forget the answer: the connection ended.
            case drop
        }

        /// Takes an answer.
        mutating func received(_ answer: RESPValue) -> AnswerAction {
            guard isOpen else { return .drop }
            guard let oldest = outstanding.popFirst() else {
                return .close(finish(.unexpectedAnswer.with("nothing was asked")))
            }
            byteCount -= oldest.byteCount
            switch oldest.question {
            case .command(let waiter, let isHeld):
                if let error = ValkeyStoreError.ending(answer) { return .deliverAndClose(waiter, finish(error)) }
                guard isHeld else { return .deliver(waiter) }
                held.append(Held(waiter: waiter, answer: answer))
                return .hold
            case .confirmation:
                guard case .integer(let count) = answer else {
                    return .close(finish(ValkeyStoreError(unexpected: answer)))
                }
                isConfirming = false
                let released = held
                held = []
                return .release(released, isConfirmed: count >= Int64(standbys))
            }
        }

        enum TimerAction {
            /// Nothing waits.
            case none
            /// Set the timer again.
            case wait(until: NIODeadline)
            /// Close the connection.
            case close(End)
        }

        /// The timer fired.
        mutating func timerFired(now: NIODeadline) -> TimerAction {
            hasTimer = false
            guard let oldest = outstanding.first else { return .none }
            guard oldest.deadline <= now else {
                hasTimer = true
                return .wait(until: oldest.deadline)
            }
            return .close(finish(.timeout))
        }

        /// Ends the connection.
        /// - Returns: What has to fail; `nil` if the connection ended before.
        mutating func end(_ error: ValkeyStoreError) -> End? {
            isOpen ? finish(error) : nil
        }

        private mutating func finish(_ error: ValkeyStoreError) -> End {
            isOpen = false
            byteCount = 0
            var waiters = held.map(\.waiter)
            for case .command(let waiter, _) in outstanding.map(\.question) { waiters.append(waiter) }
            held = []
            outstanding.removeAll()
            return End(error: error, waiters: waiters)
        }
    }
}
