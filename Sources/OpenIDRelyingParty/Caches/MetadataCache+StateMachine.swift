// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

extension MetadataCache {
    /// What the cache does at a look-up and when a fetch ends. No I/O, no clock: `now` is handed in.
    package struct StateMachine<Waiter: Sendable>: Sendable {
        /// Seconds after which the metadata is refreshed in the background.
        package static var freshFor: Int64 { 3600 }
        /// Seconds for which metadata serves on while refreshing fails.
        package static var staleFor: Int64 { 86_400 }
        /// Seconds for which a failure answers look-ups, so that a dead provider is not asked by every browser.
        package static var failureFor: Int64 { 2 }

        /// What a look-up leads to.
        package enum LookUpAction: Sendable {
            /// Use this.
            case use(ProviderMetadata)
            /// Use this, and fetch in the background.
            case useAndFetch(ProviderMetadata)
            /// The waiter was kept; fetch.
            case fetch
            /// The waiter was kept; a fetch is under way.
            case wait
            /// The last fetch failed moments ago.
            case fail(RelyingPartyError)
        }

        private var value: (metadata: ProviderMetadata, fetchedAt: Int64)?
        private var failure: (error: RelyingPartyError, at: Int64)?
        private var waiters: [Waiter] = []
        private var isFetching = false

        package init() {}

        /// Somebody needs the metadata. `makeWaiter` is called only where it must wait.
        package mutating func lookUp(now: Int64, makeWaiter: () -> Waiter) -> LookUpAction {
            if let value {
                let age = now - value.fetchedAt
                if age < Self.freshFor { return .use(value.metadata) }
                if age < Self.staleFor {
                    guard !isFetching, !hasJustFailed(now) else { return .use(value.metadata) }
                    isFetching = true
                    return .useAndFetch(value.metadata)
                }
            }
            if isFetching {
                waiters.append(makeWaiter())
                return .wait
            }
            if let failure, hasJustFailed(now) { return .fail(failure.error) }
            isFetching = true
            waiters.append(makeWaiter())
            return .fetch
        }

        /// A fetch succeeded; the waiters get the metadata.
        package mutating func fetched(_ metadata: ProviderMetadata, now: Int64) -> [Waiter] {
            value = (metadata, now)
            failure = nil
            return takeWaiters()
        }

        /// A fetch failed; the waiters get the error. Metadata that is not too old stays.
        package mutating func failed(_ error: RelyingPartyError, now: Int64) -> [Waiter] {
            failure = (error, now)
            return takeWaiters()
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
