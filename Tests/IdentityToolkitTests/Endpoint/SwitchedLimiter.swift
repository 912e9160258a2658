// SPDX-License-Identifier: Apache-2.0

import Accounts
import Synchronization

/// A limiter that lets everything pass until it is told what not to.
final class SwitchedLimiter: AccountLimiter {
    private struct State {
        var isRefused: @Sendable (LimitedAccountOperation) -> Bool = { _ in false }
    }

    private let state = Mutex(State())

    /// Refuses the chosen operations from now on.
    func refuse(_ isChosen: @escaping @Sendable (LimitedAccountOperation) -> Bool) {
        state.withLock { $0.isRefused = isChosen }
    }

    func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
        decide(operation, now: now)
    }

    func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
        let isRefused = state.withLock { $0.isRefused(operation) }
        return isRefused ? .wait(seconds: 1) : .proceed
    }
}
