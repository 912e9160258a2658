// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore

extension SharedStore {
    /// What is known of a store outside of this process, and how many operations wait for it. There is no lock and no
    /// clock.
    struct StateMachine: Sendable {
        /// The maximum number of operations that wait.
        static let mostOperations = 10_000
        /// The maximum number of reads among them, which leaves room for the writes that a sign-in cannot do without.
        static let mostReads = 7_500
        /// The time without a confirmation of standbys after which no operation waits for one.
        static let standbyPatience: TimeAmount = .seconds(5)
        /// The time without any unconfirmed answer after which their silence is counted anew: they may have been
        /// available in the meantime.
        static let silenceMemory: TimeAmount = .seconds(10)
        /// The number of operations that wait beyond which none exceeds its own timeout.
        static let mostOperationsForLong = 5_000
        /// The time without a success after which the store is away.
        static let patience: TimeAmount = .seconds(5)
        /// The time without any failure after which earlier failures no longer count: the store was not asked since.
        static let memory: TimeAmount = .seconds(2)
        /// The time between two probes of a store that is away.
        static let probeInterval: TimeAmount = .milliseconds(250)
        /// The time after a probe was due after which another one is made: its event loop may have ended.
        static let probeGrace: TimeAmount = .seconds(1)

        /// The time between two looks at a store that answers.
        static let watchInterval: TimeAmount = .seconds(1)
        /// The time without an answer after which a store that answers is asked. It is less than two intervals, so that the
        /// second look asks.
        static let idleness: TimeAmount = .milliseconds(1500)

        private enum State: Sendable {
            /// It has not answered yet since the start.
            case unknown
            /// It answers.
            case reached
            /// It has failed since then, last at that time.
            case failing(since: NIODeadline, last: NIODeadline, wasReached: Bool)
            /// It is away, and is probed.
            case away(since: NIODeadline, wasReached: Bool)
        }

        private var state = State.unknown
        /// When the next probe is due; `nil` if the store is not probed.
        private var nextProbe: NIODeadline?
        /// When a probe was sent that has not been answered.
        private var probeSent: NIODeadline?
        /// When a write was answered last.
        private var lastAnswer = NIODeadline.distantPast
        private(set) var operations = 0
        /// Since when standbys have not confirmed, and when they did not last; `nil` if they confirmed last.
        private var silence: (since: NIODeadline, last: NIODeadline)?
        /// The memory of their values.
        private var values: HeldQueue

        init(values: HeldQueue) { self.values = values }

        /// What is known of the store, for operators.
        var status: SharedStoreStatus {
            switch state {
            case .unknown, .failing(_, _, wasReached: false), .away(_, wasReached: false): .notReached
            case .reached, .failing: .reached
            case .away: .away
            }
        }

        /// Whether operations are refused until a probe succeeds.
        var isAway: Bool {
            if case .away = state { true } else { false }
        }

        /// Whether an operation may begin.
        enum Begun: Sendable, Hashable {
            /// It may, and ``end(bytes:)`` follows.
            case proceed
            /// It may not, since too many wait.
            case tooMany
            /// It may not, since the store is away.
            case away
        }

        /// Begins an operation.
        /// - Parameters:
        ///   - bytes: The memory of its value, in bytes.
        ///   - isRead: Whether it changes nothing.
        mutating func begin(bytes: Int, isRead: Bool = false, now: NIODeadline) -> Begun {
            if isAway { return .away }
            guard operations < (isRead ? Self.mostReads : Self.mostOperations), values.take(bytes)
            else { return .tooMany }
            operations += 1
            return .proceed
        }

        /// Ends an operation that began.
        mutating func end(bytes: Int) {
            operations -= 1
            values.giveBack(bytes)
        }

        /// What is new after a try.
        enum Change: Sendable, Hashable {
            case none
            /// The store answered for the first time.
            case reached
            /// It is away from now on, and is to be probed.
            case away
            /// It is back.
            case back(after: TimeAmount)
        }

        /// Notes that the store answered.
        /// - Parameter isRead: Whether nothing was written. A store that takes no writes may still be read.
        mutating func succeeded(_ now: NIODeadline, isRead: Bool = false) -> Change {
            if isRead { return .none }
            lastAnswer = now
            defer { state = .reached }
            switch state {
            case .reached: return .none
            case .unknown: return .reached
            case .failing(_, _, let wasReached): return wasReached ? .none : .reached
            case .away(let since, let wasReached): return wasReached ? .back(after: now - since) : .reached
            }
        }

        /// Notes that the store did not answer.
        mutating func failed(_ now: NIODeadline) -> Change {
            switch state {
            case .away: return .none
            case .unknown:
                state = .failing(since: now, last: now, wasReached: false)
                return .none
            case .reached:
                state = .failing(since: now, last: now, wasReached: true)
                return .none
            case .failing(let since, let last, let wasReached):
                // Old failures say nothing about a store that was not asked since.
                let since = now - last > Self.memory ? now : since
                guard now - since >= Self.patience else {
                    state = .failing(since: since, last: now, wasReached: wasReached)
                    return .none
                }
                state = .away(since: since, wasReached: wasReached)
                return .away
            }
        }

        /// Notes that standbys confirmed an operation.
        mutating func confirmed() { silence = nil }

        /// The silence of standbys.
        struct Silence: Sendable, Hashable {
            /// Since when they have confirmed nothing.
            let since: NIODeadline
            /// Whether it is worthwhile to ask them again.
            let isWorthWhile: Bool
            /// Whether so few operations wait that one of them may wait longer than its own time.
            let leavesRoom: Bool
        }

        /// Notes that standbys did not confirm an operation.
        mutating func unconfirmed(_ now: NIODeadline) -> Silence {
            var since = now
            if let silence, now - silence.last <= Self.silenceMemory { since = silence.since }
            silence = (since, now)
            return Silence(
                since: since, isWorthWhile: now - since < Self.standbyPatience,
                leavesRoom: operations <= Self.mostOperationsForLong)
        }

        /// Returns when to try once more: after a pause, or not at all.
        /// - Parameters:
        ///   - deadline: When the operation has to be over.
        ///   - pause: The pause.
        ///   - hasValue: Whether a value was received that would be lost. Then the operation is also tried while the
        ///     store is away.
        func retry(
            before deadline: NIODeadline, pause: TimeAmount, hasValue: Bool = false, now: NIODeadline
        ) -> NIODeadline? {
            if isAway, !hasValue { return nil }
            let next = now + pause
            return next < deadline ? next : nil
        }

        /// Returns whether probing is to begin: no event loop does it, or the one that did has stopped.
        mutating func beginsProbing(_ now: NIODeadline) -> Bool {
            if let nextProbe, now - nextProbe <= Self.probeGrace { return false }
            nextProbe = now
            return true
        }

        /// Returns whether to ask the store now, and when to probe again; `nil` once the store answers.
        mutating func probe(_ now: NIODeadline) -> (asks: Bool, next: NIODeadline)? {
            if case .reached = state {
                nextProbe = nil
                return nil
            }
            let next = now + Self.probeInterval
            nextProbe = next
            // A store that lets a probe hang is not asked again and again beside it.
            if let probeSent, now - probeSent < Self.patience { return (false, next) }
            probeSent = now
            return (true, next)
        }

        /// What follows from a look at a store that answers, or has begun to fail.
        enum Look: Sendable, Hashable {
            case none
            /// Ask it.
            case ask
            /// It has not answered since the look before: this counts as a failure.
            case unanswered
        }

        /// Looks at the store, every ``watchInterval``. One that was never reached, or is away, is probed anyway.
        mutating func look(_ now: NIODeadline) -> Look {
            switch state {
            case .unknown, .away: return .none
            case .reached where probeSent == nil && now - lastAnswer < Self.idleness: return .none
            case .reached, .failing: break
            }
            if let probeSent { return now - probeSent < Self.watchInterval ? .none : .unanswered }
            probeSent = now
            return .ask
        }

        /// Notes that a probe was answered, or failed.
        mutating func endProbe() { probeSent = nil }
    }
}

/// What is known of a store outside of this process.
package enum SharedStoreStatus: String, Sendable, Hashable {
    /// It has not answered since the start.
    case notReached = "not_reached"
    /// It answers, or answered within the last seconds.
    case reached = "ok"
    /// It does not answer.
    case away
}
