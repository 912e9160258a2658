// SPDX-License-Identifier: Apache-2.0

/// A state machine that determines which virtual user begins a sign-in and when. It has no clock and no threads.
///
/// Times are nanoseconds of one monotonic clock and are given by the caller.
package protocol LoadSchedule: Sendable {
    /// The next time at which ``advance(to:)`` has an effect; `nil` if only an idle user, or nothing, changes the
    /// state.
    var wakeUp: Int64? { get }

    /// Whether no further sign-in will begin.
    var isExhausted: Bool { get }

    /// Returns the assignments that are due.
    mutating func advance(to now: Int64) -> [Assignment]

    /// Records that a user is idle.
    ///
    /// - Returns: The assignments that are due for it.
    mutating func userBecameIdle(_ user: Int, at now: Int64) -> [Assignment]
}

/// One sign-in for one virtual user.
package struct Assignment: Sendable, Hashable {
    /// The number of the user, counted from 0.
    package let user: Int
    /// The intended start of the sign-in, from which its latency is measured, however late it actually begins.
    package let intendedStart: Int64

    /// Creates an assignment.
    package init(user: Int, intendedStart: Int64) {
        self.user = user
        self.intendedStart = intendedStart
    }
}
