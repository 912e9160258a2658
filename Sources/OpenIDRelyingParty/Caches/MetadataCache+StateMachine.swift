// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

extension MetadataCache {
    /// The state machine of the cache: decides what a look-up and the end of a fetch lead to. It does no I/O and has no
    /// clock; `now` is a parameter.
    package struct StateMachine<Waiter: Sendable>: Sendable {
        /// The action that a look-up leads to.
        package enum LookUpAction: Sendable {
            /// Use the metadata.
            case use(ProviderMetadata)
            /// Use the metadata, and fetch it in the background.
            case useAndFetch(ProviderMetadata)
            /// The waiter was stored. Fetch the metadata.
            case fetch
            /// The waiter was stored. A fetch is already under way.
            case wait
            /// The last fetch failed recently.
            case fail(RelyingPartyError)
        }

        /// The action that a failed fetch leads to, for the waiters.
        package enum FailureAction: Sendable {
            /// Use the stale metadata.
            case use(ProviderMetadata, [Waiter])
            case fail([Waiter])
        }

        private var document: CachedDocument<ProviderMetadata>?
        private var pause = FailurePause()
        private var waiters: [Waiter] = []
        private var isFetching = false

        package init() {}

        /// Looks up the metadata. `makeWaiter` is called only if the caller must wait.
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

        /// The metadata if a look-up would lead to no other action than using it; `nil` otherwise.
        package func fresh(now: Int64) -> ProviderMetadata? {
            guard let document, document.phase(now: now) == .fresh else { return nil }
            return document.value
        }

        /// Records that a fetch succeeded, and returns the waiters for its metadata.
        package mutating func fetched(_ fetched: FetchedDocument<ProviderMetadata>, now: Int64) -> [Waiter] {
            document = CachedDocument(fetched, fetchedAt: now)
            pause.succeeded()
            return takeWaiters()
        }

        /// Records that a fetch failed. Metadata that is not too old stays in use.
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
