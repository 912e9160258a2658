// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// When the store was last away and came back, as the transactions of this process saw it.
final class StoreReturn: Sendable {
    private struct State {
        var isThere = false
        var returnedAt: Int64 = 0
    }

    private let state = Mutex(State())

    /// The time of the return, in seconds since 1970. While the store is away, and before anything is known of it, whoever
    /// reaches it finds it just returned.
    func time(at now: Int64) -> Int64 { state.withLock { $0.isThere ? $0.returnedAt : now } }

    /// Notes that a transaction ended.
    /// - Parameter error: The error of the store; `nil` if the store answered.
    func note(_ error: AccountStoreError?, at now: Int64) {
        state.withLock { state in
            if error?.code == .unavailable {
                state.isThere = false
            } else if !state.isThere {
                state = State(isThere: true, returnedAt: now)
            }
        }
    }
}
