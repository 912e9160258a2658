// SPDX-License-Identifier: Apache-2.0

extension EventDelivery {
    /// When events are claimed, and what becomes of each: a state machine without a clock, a store and a receiver. Times are
    /// in seconds since 1970.
    struct StateMachine: Sendable, Hashable {
        /// The maximum number of events that are claimed, and sent, at once.
        static let batch = 16
        /// The time for which an event is claimed. After a process that ended, others wait as long.
        static let claim: Int64 = 180
        /// The part of that time in which an event is sent. The rest is for the sending and for clocks that differ.
        static let sending: Int64 = 60
        /// The time between two claims while nothing is due.
        static let idle: Int64 = 1
        /// The longest time between two claims while a receiver takes nothing.
        static let longestPause: Int64 = 60
        /// The longest time between two tries of an event.
        static let longestWait: Int64 = 3600
        /// The time for which an event is tried, and at least once, where nothing else is said: three days.
        static let usualPatience: Int64 = 3 * 86_400

        /// What to do next.
        enum Action: Sendable, Hashable {
            /// Claim at most so many events until a time.
            case claim(limit: Int, until: Int64)
            /// Wait for so many seconds.
            case wait(Int64)
        }

        /// What becomes of an event that was sent.
        enum Settlement: Sendable, Hashable {
            case remove
            case postpone(until: Int64)
            case giveUp
        }

        /// The time for which an event is tried, and at least once.
        private let patience: Int64
        /// How often in a row a receiver took nothing of what was sent to it.
        private var refusals: Int64 = 0
        private var pausedUntil: Int64 = 0

        init(patience: Int64 = Self.usualPatience) { self.patience = patience }

        func next(at now: Int64) -> Action {
            // A clock that was set back makes no pause longer.
            let pause = min(pausedUntil - now, Self.longestPause)
            guard pause <= 0 else { return .wait(pause) }
            return .claim(limit: refusals == 0 ? Self.batch : 1, until: now + Self.claim)
        }

        /// Whether a claimed event may still be sent.
        func maySend(_ event: QueuedEvent, at now: Int64) -> Bool {
            now <= event.claimedUntil - Self.claim + Self.sending
        }

        /// Decides what becomes of an event.
        /// - Parameters:
        ///   - event: The event.
        ///   - refusal: Why the receiver has not taken it; `nil` if it has.
        ///   - now: The current time.
        func settle(_ event: QueuedEvent, refusal: EventRefusal?, at now: Int64) -> Settlement {
            guard let refusal else { return .remove }
            guard !refusal.isFinal, now - event.event.time < patience else { return .giveUp }
            return .postpone(until: now + Self.wait(after: event.attempts + 1, longest: Self.longestWait))
        }

        /// Events were claimed and sent. What is refused for good shows as well as a delivery that the receiver is there.
        /// - Returns: The time until the next claim.
        mutating func ended(delivered: Int, refused: Int, at now: Int64) -> Int64 {
            guard delivered == 0, refused > 0 else {
                refusals = 0
                return delivered + refused == Self.batch || delivered == 1 ? 0 : Self.idle
            }
            refusals += 1
            let pause = Self.wait(after: refusals, longest: Self.longestPause)
            pausedUntil = now + pause
            return pause
        }

        /// A second after the first time, then twice as long each time.
        private static func wait(after times: Int64, longest: Int64) -> Int64 {
            times > 12 ? longest : min(1 << (times - 1), longest)
        }
    }
}
