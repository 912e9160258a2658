// SPDX-License-Identifier: Apache-2.0

/// Says which virtual user begins a sign-in, and when: a state machine without a clock and without threads.
///
/// Times are nanoseconds of one monotonic clock, brought by the caller.
package protocol LoadSchedule: Sendable {
    /// The next time at which ``advance(to:)`` has something to do; `nil` if only a user that becomes idle changes
    /// anything, or nothing does.
    var wakeUp: Int64? { get }

    /// Whether no sign-in will begin any more.
    var isExhausted: Bool { get }

    /// Gives out what is due.
    mutating func advance(to now: Int64) -> [Assignment]

    /// A user has nothing to do any more.
    ///
    /// - Returns: What is due for it.
    mutating func userBecameIdle(_ user: Int, at now: Int64) -> [Assignment]
}

/// One sign-in for one virtual user.
package struct Assignment: Sendable, Hashable {
    /// The user, counted from 0.
    package let user: Int
    /// When the sign-in was meant to begin: what its latency is counted from, however late it really begins.
    package let intendedStart: Int64

    /// A sign-in for a user.
    package init(user: Int, intendedStart: Int64) {
        self.user = user
        self.intendedStart = intendedStart
    }
}
