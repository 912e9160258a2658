// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension EventLoopWatch {
    /// The pings that event loops have not answered, and who waits for the result. It has no lock, no loop and no clock.
    ///
    /// A loop that is stuck has one ping outstanding, however often it is asked about, so that repeated questions use
    /// no memory.
    struct StateMachine<Waiter: Sendable>: Sendable {
        /// The result of a query.
        enum Beginning: Sendable {
            /// The number of loops that are stuck is known already, and the waiter was not stored.
            case known(stuck: Int)
            /// Ping these loops, and call ``StateMachine/expired(_:now:)`` with the number after the time limit.
            case wait(ping: [Int], number: UInt64)
        }

        private let limit: TimeAmount
        private var sent: [NIODeadline?]
        private var outstanding = 0
        private var waiters: [UInt64: Waiter] = [:]
        private var numbers: UInt64 = 0

        /// - Parameters:
        ///   - loops: The number of event loops.
        ///   - limit: The time in which a loop that turns answers.
        init(loops: Int, limit: TimeAmount) {
            self.limit = limit
            sent = Array(repeating: nil, count: loops)
        }

        /// The number of those who wait.
        var waiterCount: Int { waiters.count }

        /// Asks how many loops are stuck.
        mutating func begin(now: NIODeadline, waiter: Waiter) -> Beginning {
            let silent = sent.indices.filter { sent[$0] == nil }
            if silent.isEmpty, stuck(now: now) == sent.count { return .known(stuck: sent.count) }
            for loop in silent { sent[loop] = now }
            outstanding = sent.count
            numbers &+= 1
            waiters[numbers] = waiter
            return .wait(ping: silent, number: numbers)
        }

        /// Records that a loop has answered.
        /// - Returns: Those who learn that every loop has answered; empty as long as one has not.
        mutating func answered(_ loop: Int) -> [Waiter] {
            guard sent.indices.contains(loop), sent[loop] != nil else { return [] }
            sent[loop] = nil
            outstanding -= 1
            guard outstanding == 0 else { return [] }
            defer { waiters = [:] }
            return Array(waiters.values)
        }

        /// Records that the time limit of a waiter has passed.
        /// - Returns: The waiter, and the number of loops that have not answered in time; `nil` if it was answered.
        mutating func expired(_ number: UInt64, now: NIODeadline) -> (waiter: Waiter, stuck: Int)? {
            waiters.removeValue(forKey: number).map { ($0, stuck(now: now)) }
        }

        private func stuck(now: NIODeadline) -> Int {
            sent.count { $0.map { now - $0 >= limit } ?? false }
        }
    }
}
