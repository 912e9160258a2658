// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A time in which the store was away, in seconds since 1970.
package struct StoreAbsence: Sendable, Hashable {
    /// When it was first noticed, and when the store was back.
    let begin, end: Int64

    /// Creates a time.
    package init(begin: Int64, end: Int64) { (self.begin, self.end) = (begin, end) }

    /// The store was never away.
    package static let none = StoreAbsence(begin: .max, end: 0)
}

/// When the store was last away, as the transactions of this process saw it.
final class StoreReturn: Sendable {
    /// How long before its first transaction a process may have been gone, in seconds. Answers were lost with it.
    static let restart: Int64 = 300
    /// The time after a return within which another absence goes on with the one before it, in seconds.
    static let respite: Int64 = 60

    private struct State {
        var isThere = false
        /// The last absence, whose end is not known while the store is away; `nil` before anything is known.
        var absence: StoreAbsence?
    }

    private let state = Mutex(State())

    /// The last absence. While the store is away, and before anything is known of it, the first access that reaches it
    /// finds it just returned.
    func absence(at now: Int64) -> StoreAbsence {
        state.withLock { state in
            guard let last = state.absence else { return StoreAbsence(begin: now - Self.restart, end: now) }
            return state.isThere ? last : StoreAbsence(begin: last.begin, end: now)
        }
    }

    /// Notes that a transaction ended.
    /// - Parameter error: The error of the store; `nil` if the store answered.
    func note(_ error: AccountStoreError?, at now: Int64) {
        state.withLock { state in
            let isThere = error?.code != .unavailable
            guard isThere != state.isThere || state.absence == nil else { return }
            let begin =
                switch state.absence {
                case nil: now - Self.restart
                case let last? where isThere || now <= last.end + Self.respite: last.begin
                case _?: now
                }
            state = State(isThere: isThere, absence: StoreAbsence(begin: begin, end: now))
        }
    }
}
