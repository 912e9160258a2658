// SPDX-License-Identifier: Apache-2.0

/// The one timer of a schedule: which one is wanted, and which one still counts when it fires.
///
/// A timer that is canceled may fire all the same, when the event loop has taken it out already. One that is taken for
/// the one that was set since would leave that one to fire beside its successor, and each such pair stays for good: with
/// hundreds of them the generator was busy with nothing else.
package struct WakeUp: Sendable {
    /// What is to be done with the timer.
    package enum Action: Sendable, Hashable {
        /// It is right as it is.
        case keep
        /// There shall be none; one that was set is to be canceled.
        case cancel
        /// One that was set is to be canceled, and this one set.
        case set(time: Int64, number: Int)
    }

    private var time: Int64?
    private var number = 0

    /// No timer yet.
    package init() {}

    /// Something is to be done next at a time; nil: at none.
    package mutating func isWanted(at time: Int64?) -> Action {
        guard time != self.time else { return .keep }
        self.time = time
        guard let time else { return .cancel }
        number += 1
        return .set(time: time, number: number)
    }

    /// A timer has fired.
    ///
    /// - Returns: Whether it is the one that was set last, and not canceled since.
    package mutating func fired(_ number: Int) -> Bool {
        guard number == self.number, time != nil else { return false }
        time = nil
        return true
    }
}
