// SPDX-License-Identifier: Apache-2.0

/// The single timer of a schedule: when it must fire, and whether a timer that fires is the current one.
///
/// A canceled timer may still fire if the event loop has already taken it out. If it were taken for the current one,
/// that one would later fire in addition to its successor, and such duplicates would accumulate until the generator is
/// busy with nothing else.
/// hundreds of them the generator was busy with nothing else.
package struct WakeUp: Sendable {
    /// The action for the timer.
    package enum Action: Sendable, Hashable {
        /// Leave it as it is.
        case keep
        /// Cancel it if it is set.
        case cancel
        /// Cancel it if it is set, and set this one.
        case set(time: Int64, number: Int)
    }

    private var time: Int64?
    private var number = 0

    /// Creates a state without a timer.
    package init() {}

    /// Records the time of the next event; `nil` for none.
    package mutating func isWanted(at time: Int64?) -> Action {
        guard time != self.time else { return .keep }
        self.time = time
        guard let time else { return .cancel }
        number += 1
        return .set(time: time, number: number)
    }

    /// Records that a timer has fired.
    ///
    /// - Returns: Whether it is the current one.
    package mutating func fired(_ number: Int) -> Bool {
        guard number == self.number, time != nil else { return false }
        time = nil
        return true
    }
}
