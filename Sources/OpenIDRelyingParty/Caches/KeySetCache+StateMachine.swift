// SPDX-License-Identifier: Apache-2.0

package import JOSE

extension KeySetCache {
    /// What the cache does at a look-up and when a fetch ends. No I/O, no clock: `now` is handed in.
    package struct StateMachine<Waiter: Sendable>: Sendable {
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

        private var document: CachedDocument<KeySet>?
        private var pause = FailurePause()
        private var unknownKeyIDs = UnknownKeyIDs()
        /// The id for which the fetch under way was begun, where it was begun for one.
        private var wanted: WireText?
        private var waiters: [Waiter] = []
        private var isFetching = false

        package init() {}

        /// How many ids the negative cache remembers.
        package var unknownKeyIDCount: Int { unknownKeyIDs.count }

        /// Somebody needs the key of that id, or, with nil, whatever fits.
        package mutating func lookUp(keyID: WireText?, now: Int64, makeWaiter: () -> Waiter) -> LookUpAction {
            guard let document else { return fetchOrWait(now: now, makeWaiter: makeWaiter) }
            let phase = document.phase(now: now)
            switch phase {
            case .gone:
                return fetchOrWait(now: now, makeWaiter: makeWaiter)
            case .expired where pause.error(now: now) == nil:
                return fetchOrWait(now: now, makeWaiter: makeWaiter)
            default:
                break
            }
            if let keyID, !document.value.contains(keyID: keyID) {
                return missed(keyID, document.value, now: now, makeWaiter: makeWaiter)
            }
            guard phase == .ageing, !isFetching, pause.error(now: now) == nil else { return .use(document.value) }
            isFetching = true
            return .useAndFetch(document.value)
        }

        /// A token without a `kid` does not verify with the keys there are: they may have been rotated. The rules are
        /// those of an id that is not in the set.
        ///
        /// So it is for one that names its key, as the key may have been replaced under its name; but only where the keys
        /// are older than the cooldown, and never while a failed fetch is fresh: whoever makes signatures up causes one
        /// fetch per cooldown.
        /// - Parameter namesKey: whether the token has a `kid`.
        package mutating func lookUpAfterMismatch(
            namesKey: Bool = false, now: Int64, makeWaiter: () -> Waiter
        ) -> LookUpAction {
            guard let document, document.phase(now: now) != .gone else {
                return fetchOrWait(now: now, makeWaiter: makeWaiter)
            }
            if namesKey {
                guard now - document.fetchedAt >= UnknownKeyIDs.cooldown, pause.error(now: now) == nil else {
                    return .use(document.value)
                }
            }
            return missed("", document.value, now: now, makeWaiter: makeWaiter)
        }

        /// The keys with the one of that id, where a look-up would do nothing but give them.
        package func fresh(keyID: WireText, now: Int64) -> KeySet? {
            guard let document, document.phase(now: now) == .fresh, document.value.contains(keyID: keyID) else {
                return nil
            }
            return document.value
        }

        /// A fetch succeeded.
        package mutating func fetched(_ fetched: FetchedDocument<KeySet>, now: Int64) -> [Waiter] {
            document = CachedDocument(
                fetched, fetchedAt: now, goneAfter: fetched.lifetime.seconds + KeySetCache.servesPastExpiry)
            pause.succeeded()
            unknownKeyIDs.fetched(fetched.value)
            // A token without `kid` wants no key by name: the cooldown alone limits what it causes.
            if let wanted, !wanted.isEmpty, !fetched.value.contains(keyID: wanted) { unknownKeyIDs.missed(wanted) }
            return takeWaiters()
        }

        /// A fetch failed.
        package mutating func failed(_ error: RelyingPartyError, now: Int64) -> FailureAction {
            pause.failed(error, now: now)
            if wanted != nil { unknownKeyIDs.failed(now: now) }
            let waiters = takeWaiters()
            guard let document, document.phase(now: now) != .gone else { return .fail(waiters) }
            return .use(document.value, waiters)
        }

        /// Whether the keys that serve now have expired.
        package func servesPastExpiry(now: Int64) -> Bool {
            document?.phase(now: now) == .expired
        }

        private mutating func missed(
            _ keyID: WireText, _ keys: KeySet, now: Int64, makeWaiter: () -> Waiter
        ) -> LookUpAction {
            if isFetching {
                waiters.append(makeWaiter())
                return .wait
            }
            guard unknownKeyIDs.admits(keyID, now: now) else { return .use(keys) }
            wanted = keyID
            isFetching = true
            waiters.append(makeWaiter())
            return .fetch
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
            wanted = nil
            defer { waiters = [] }
            return waiters
        }
    }
}
