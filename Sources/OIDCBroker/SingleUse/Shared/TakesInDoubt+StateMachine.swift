// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension TakesInDoubt {
    /// The takes that are in doubt, and when they are asked about. There is no lock, no clock and no store.
    struct StateMachine: Sendable {
        /// The maximum number of takes. Beyond it, a new one is not asked about.
        static let mostTakes = AttemptsInDoubt.maximumCount
        /// The maximum number of takes that are asked about at once.
        static let mostAtOnce = 64
        /// The time before the first question, and after one without an answer.
        static let pause = TimeAmount.milliseconds(250)
        /// The maximum time of a round of questions. After that, the event loop that asked has stopped.
        static let longestRound = TimeAmount.seconds(20)
        /// How late a look may be before another event loop takes over.
        static let grace = TimeAmount.seconds(1)

        /// A look at the takes.
        struct Look: Sendable, Hashable {
            let time: NIODeadline
            /// The sequence of looks of one event loop. A sequence that was late ends once another one has taken over.
            fileprivate let chain: UInt64
        }

        /// In the order in which they are asked about.
        private var takes: [TakeInDoubt] = []
        /// The attempts of those.
        private var attempts: Set<SingleUseAttempt> = []
        /// When the next look is due, or the round ends at the latest; `nil` if none is.
        private var due: NIODeadline?
        private var chain: UInt64 = 0
        /// The round of questions, and those that have not been answered.
        private var round: (number: UInt64, asked: [TakeInDoubt], hasFailed: Bool) = (0, [], false)

        /// The number of takes that are in doubt.
        var count: Int { takes.count + round.asked.count }

        /// Adds a take.
        /// - Returns: The first look; `nil` if one is due anyway.
        mutating func add(_ take: TakeInDoubt, _ now: NIODeadline) -> Look? {
            guard count < Self.mostTakes else { return nil }
            insert(take, at: takes.count)
            if let due, now - due <= Self.grace { return nil }
            // What a stopped event loop was asking about is its own until it comes back.
            round = (round.number + 1, [], false)
            chain += 1
            return look(at: now + Self.pause)
        }

        /// Inserts a take, unless one that asks as the same attempt is there.
        private mutating func insert(_ take: TakeInDoubt, at index: Int) {
            if attempts.insert(take.claiming.attempt).inserted { takes.insert(take, at: index) }
        }

        private mutating func look(at time: NIODeadline) -> Look {
            due = time
            return Look(time: time, chain: chain)
        }

        /// What to do next.
        enum Action: Sendable {
            /// Nothing: no take is in doubt, or another event loop looks. Adding a take begins again.
            case rest
            /// Look again then.
            case wait(until: Look)
            /// Ask about these, and report each of them.
            case ask([TakeInDoubt], round: UInt64)
        }

        /// Returns what to do next.
        /// - Parameters:
        ///   - look: The look that is due.
        ///   - isAway: Whether the store is known to be away.
        mutating func look(_ look: Look, _ now: NIODeadline, isAway: Bool) -> Action {
            guard look.chain == chain else { return .rest }
            for take in takes where take.end <= now { attempts.remove(take.claiming.attempt) }
            takes.removeAll { $0.end <= now }
            guard !takes.isEmpty else {
                due = nil
                return .rest
            }
            if isAway { return .wait(until: self.look(at: now + Self.pause)) }
            let asked = Array(takes.prefix(Self.mostAtOnce))
            takes.removeFirst(asked.count)
            for take in asked { attempts.remove(take.claiming.attempt) }
            round = (round.number + 1, asked, false)
            due = now + Self.longestRound
            return .ask(asked, round: round.number)
        }

        /// Notes what came of a question.
        /// - Parameters:
        ///   - asked: The take that was asked about.
        ///   - remaining: What it is now; `nil` if it is over.
        /// - Returns: When to look again, after the last one of the round; otherwise `nil`.
        mutating func end(
            _ asked: TakeInDoubt, _ remaining: TakeInDoubt?, round number: UInt64, _ now: NIODeadline
        ) -> Look? {
            guard number == round.number,
                let index = round.asked.firstIndex(where: { $0.claiming == asked.claiming })
            else {
                // Its event loop was late, and another one has taken over.
                if let remaining, number != round.number { insert(remaining, at: takes.count) }
                return nil
            }
            round.asked.remove(at: index)
            if let remaining {
                // What may have been returned comes before what is not known.
                insert(remaining, at: remaining.mayBeReturned ? 0 : takes.count)
                round.hasFailed = true
            }
            guard round.asked.isEmpty else { return nil }
            return look(at: round.hasFailed ? now + Self.pause : now)
        }
    }
}
