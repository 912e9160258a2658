// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

extension MetadataCache {
    /// What the cache does at a look-up and when a fetch ends. No I/O, no clock: `now` is handed in.
    package struct StateMachine<Waiter: Sendable>: Sendable {
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

        /// What a failed fetch leads to, for each waiter.
        package enum FailureAction: Sendable {
            /// The metadata there is, stale, serves on.
            case use(ProviderMetadata, [Waiter])
            case fail([Waiter])
        }

        private var document: CachedDocument<ProviderMetadata>?
        private var pause = FailurePause()
        private var waiters: [Waiter] = []
        private var isFetching = false

        package init() {}

        /// Somebody needs the metadata. `makeWaiter` is called only where it must wait.
        package mutating func lookUp(now: Int64, makeWaiter: () -> Waiter) -> LookUpAction {
            guard let document else { return fetchOrWait(now: now, makeWaiter: makeWaiter) }
            switch document.phase(now: now) {
            case .fresh:
                return .use(document.value)
            case .ageing:
                guard !isFetching, pause.error(now: now) == nil else { return .use(document.value) }
                isFetching = true
                return .useAndFetch(document.value)
            case .expired where pause.error(now: now) != nil:
                return .use(document.value)
            case .expired, .gone:
                return fetchOrWait(now: now, makeWaiter: makeWaiter)
            }
        }

        /// The metadata, where a look-up would do nothing but give it.
        package func fresh(now: Int64) -> ProviderMetadata? {
            guard let document, document.phase(now: now) == .fresh else { return nil }
            return document.value
        }

        /// A fetch succeeded; the waiters get the metadata.
        package mutating func fetched(_ fetched: FetchedDocument<ProviderMetadata>, now: Int64) -> [Waiter] {
            document = CachedDocument(fetched, fetchedAt: now)
            pause.succeeded()
            return takeWaiters()
        }

        /// A fetch failed. Metadata that is not too old serves on.
        package mutating func failed(_ error: RelyingPartyError, now: Int64) -> FailureAction {
            pause.failed(error, now: now)
            let waiters = takeWaiters()
            guard let document, document.phase(now: now) != .gone else { return .fail(waiters) }
            return .use(document.value, waiters)
        }

        private mutating func fetchOrWait(now: Int64, makeWaiter: () -> Waiter) -> LookUpAction {
            if !isFetching {
                if let error = pause.error(now: now) { return .fail(error) }
                isFetching = true
                waiters.append(makeWaiter())
                return .fetch
            }
            waiters.append(makeWaiter())
            return .wait
        }

        private mutating func takeWaiters() -> [Waiter] {
            isFetching = false
            defer { waiters = [] }
            return waiters
        }
    }
}
