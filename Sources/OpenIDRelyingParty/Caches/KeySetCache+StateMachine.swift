// SPDX-License-Identifier: Apache-2.0

package import JOSE

extension KeySetCache {
    /// What the cache does at a look-up and when a fetch ends. No I/O, no clock: `now` is handed in.
    package struct StateMachine<Waiter: Sendable>: Sendable {
        /// Seconds after which the keys are refreshed in the background.
        package static var freshFor: Int64 { 3600 }
        /// Seconds for which keys serve on while refreshing fails.
        package static var staleFor: Int64 { 86_400 }
        /// Seconds between two fetches for key ids that are not in the set. The first one is free.
        package static var unknownKeyCooldown: Int64 { 30 }
        /// Seconds for which a failure answers look-ups.
        package static var failureFor: Int64 { 2 }

        /// What a look-up leads to.
        package enum LookUpAction: Sendable {
            case use(KeySet)
            case useAndFetch(KeySet)
            case fetch
            case wait
            case fail(RelyingPartyError)
        }

        /// What a failed fetch leads to, for each waiter.
        package enum FailureAction: Sendable {
            /// The keys there are, stale ones, serve on.
            case use(KeySet, [Waiter])
            case fail([Waiter])
        }

        private var value: (keys: KeySet, fetchedAt: Int64)?
        private var failure: (error: RelyingPartyError, at: Int64)?
        private var lastUnknownKeyFetch: Int64?
        private var waiters: [Waiter] = []
        private var isFetching = false

        package init() {}

        /// Somebody needs the key of that id, or, with nil, whatever fits.
        package mutating func lookUp(keyID: String?, now: Int64, makeWaiter: () -> Waiter) -> LookUpAction {
            guard let value, now - value.fetchedAt < Self.staleFor else {
                return fetchOrWait(now: now, makeWaiter: makeWaiter)
            }
            if let keyID, !value.keys.contains(keyID: keyID) {
                if isFetching {
                    waiters.append(makeWaiter())
                    return .wait
                }
                if let last = lastUnknownKeyFetch, (0..<Self.unknownKeyCooldown).contains(now - last) {
                    return .use(value.keys)
                }
                lastUnknownKeyFetch = now
                isFetching = true
                waiters.append(makeWaiter())
                return .fetch
            }
            guard now - value.fetchedAt >= Self.freshFor, !isFetching, !hasJustFailed(now) else {
                return .use(value.keys)
            }
            isFetching = true
            return .useAndFetch(value.keys)
        }

        /// A fetch succeeded.
        package mutating func fetched(_ keys: KeySet, now: Int64) -> [Waiter] {
            value = (keys, now)
            failure = nil
            return takeWaiters()
        }

        /// A fetch failed.
        package mutating func failed(_ error: RelyingPartyError, now: Int64) -> FailureAction {
            failure = (error, now)
            let waiters = takeWaiters()
            if let value, now - value.fetchedAt < Self.staleFor { return .use(value.keys, waiters) }
            return .fail(waiters)
        }

        private mutating func fetchOrWait(now: Int64, makeWaiter: () -> Waiter) -> LookUpAction {
            if isFetching {
                waiters.append(makeWaiter())
                return .wait
            }
            if let failure, hasJustFailed(now) { return .fail(failure.error) }
            isFetching = true
            waiters.append(makeWaiter())
            return .fetch
        }

        private func hasJustFailed(_ now: Int64) -> Bool {
            guard let failure else { return false }
            return (0..<Self.failureFor).contains(now - failure.at)
        }

        private mutating func takeWaiters() -> [Waiter] {
            isFetching = false
            defer { waiters = [] }
            return waiters
        }
    }
}
