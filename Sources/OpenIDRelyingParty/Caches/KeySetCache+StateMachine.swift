// SPDX-License-Identifier: Apache-2.0

package import JOSE

extension KeySetCache {
    /// The state machine of the cache: decides what a look-up and the end of a fetch lead to. It does no I/O and has no
    /// clock; `now` is a parameter.
    package struct StateMachine<Waiter: Sendable>: Sendable {
        /// The action that a look-up leads to.
        package enum LookUpAction: Sendable {
            case use(KeySet)
            case useAndFetch(KeySet)
            case fetch
            case wait
            case fail(RelyingPartyError)
        }

        /// The action that a failed fetch leads to, for the waiters.
        package enum FailureAction: Sendable {
            /// Use the stale keys.
            case use(KeySet, [Waiter])
            case fail([Waiter])
        }

        private var document: CachedDocument<KeySet>?
        private var pause = FailurePause()
        private var unknownKeyIDs = UnknownKeyIDs()
        /// The key id for which the fetch under way was begun; `nil` if it was not begun for one.
        private var wanted: WireText?
        private var waiters: [Waiter] = []
        private var isFetching = false

        package init() {}

        /// The number of key ids in the negative cache.
        package var unknownKeyIDCount: Int { unknownKeyIDs.count }

        /// Looks up the keys for a token with the given key id, or for one without a key id if it is `nil`.
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

        /// Looks up the keys after a token did not verify with the present ones, which may have been rotated.
        ///
        /// A token without a `kid` is treated like one whose key id is not in the set. If the token has a `kid`, its
        /// key may have been replaced under the same id. The keys are then fetched only if they are older than the
        /// cooldown and no failed fetch is recent, so that invalid signatures cause at most one fetch per cooldown.
        /// - Parameter namesKey: Whether the token has a `kid`.
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

        /// The keys if they contain the given key id and a look-up would lead to no other action than using them; `nil`
        /// otherwise.
        package func fresh(keyID: WireText, now: Int64) -> KeySet? {
            guard let document, document.phase(now: now) == .fresh, document.value.contains(keyID: keyID) else {
                return nil
            }
            return document.value
        }

        /// Records that a fetch succeeded, and returns the waiters for its keys.
        package mutating func fetched(_ fetched: FetchedDocument<KeySet>, now: Int64) -> [Waiter] {
            document = CachedDocument(
                fetched, fetchedAt: now, goneAfter: fetched.lifetime.seconds + KeySetCache.servesPastExpiry)
            pause.succeeded()
            unknownKeyIDs.fetched(fetched.value)
            // A token without a `kid` has no key id to remember: only the cooldown limits the fetches it causes.
            if let wanted, !wanted.isEmpty, !fetched.value.contains(keyID: wanted) { unknownKeyIDs.missed(wanted) }
            return takeWaiters()
        }

        /// Records that a fetch failed.
        package mutating func failed(_ error: RelyingPartyError, now: Int64) -> FailureAction {
            pause.failed(error, now: now)
            if wanted != nil { unknownKeyIDs.failed(now: now) }
            let waiters = takeWaiters()
            guard let document, document.phase(now: now) != .gone else { return .fail(waiters) }
            return .use(document.value, waiters)
        }

        /// Whether the keys in use have expired.
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
