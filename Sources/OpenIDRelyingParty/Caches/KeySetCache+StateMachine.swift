// SPDX-License-Identifier: Apache-2.0

package import JOSE

extension KeySetCache {
    /// The state machine of the cache. Keys are fetched because of their age, and for tokens that they do not verify.
    package struct StateMachine<Waiter: Sendable>: DocumentStateMachine {
        package typealias LookUpAction = DocumentLookUpAction<KeySet>

        private var keys = AgeingDocument<KeySet, Waiter>()
        private var unknownKeyIDs = UnknownKeyIDs()
        /// The key ID for which the fetch under way was begun; `nil` if it was not begun for one.
        private var wanted: WireText?

        package init() {}

        /// The number of key IDs in the negative cache.
        package var unknownKeyIDCount: Int { unknownKeyIDs.count }

        /// Looks up the keys for a token with the given key ID, or for one without a key ID if it is `nil`.
        package mutating func lookUp(keyID: WireText?, now: Int64, makeWaiter: () -> Waiter) -> LookUpAction {
            if let keyID, let present = keys.usable(now: now)?.value, !present.contains(keyID: keyID) {
                return missed(keyID, present, now: now, makeWaiter: makeWaiter)
            }
            return keys.lookUp(now: now, makeWaiter: makeWaiter)
        }

        /// Looks up the keys after a token did not verify with the present ones, which may have been rotated.
        ///
        /// A token without a `kid` is treated like one whose key ID is not in the set. If the token has a `kid`, its
        /// key may have been replaced under the same id. The keys are then fetched only if they are older than the
        /// cooldown and no failed fetch is recent, so that invalid signatures cause at most one fetch per cooldown.
        /// - Parameter namesKey: Whether the token has a `kid`.
        package mutating func lookUpAfterMismatch(
            namesKey: Bool = false, now: Int64, makeWaiter: () -> Waiter
        ) -> LookUpAction {
            guard let document = keys.document, document.phase(now: now) != .gone else {
                return keys.fetchOrWait(now: now, makeWaiter: makeWaiter)
            }
            if namesKey {
                guard now - document.fetchedAt >= UnknownKeyIDs.cooldown, !keys.hasFailedRecently(now: now) else {
                    return .use(document.value)
                }
            }
            return missed("", document.value, now: now, makeWaiter: makeWaiter)
        }

        /// Records that a fetch succeeded, and returns the waiters for its keys.
        package mutating func fetched(_ fetched: FetchedDocument<KeySet>, now: Int64) -> [Waiter] {
            unknownKeyIDs.fetched(fetched.value)
            // A token without a `kid` has no key ID to remember: only the cooldown limits the fetches it causes.
            if let wanted, !wanted.isEmpty, !fetched.value.contains(keyID: wanted) { unknownKeyIDs.missed(wanted) }
            wanted = nil
            return keys.fetched(
                CachedDocument(
                    fetched, fetchedAt: now, goneAfter: fetched.lifetime.seconds + KeySetCache.servesPastExpiry))
        }

        /// Records that a fetch failed.
        package mutating func failed(
            _ error: RelyingPartyError, now: Int64
        ) -> DocumentFailureAction<KeySet, Waiter> {
            if wanted != nil { unknownKeyIDs.failed(now: now) }
            wanted = nil
            return keys.failed(error, now: now)
        }

        package func servesPastExpiry(now: Int64) -> Bool { keys.servesPastExpiry(now: now) }

        package func status(now: Int64) -> DocumentStatus { keys.status(now: now) }

        private mutating func missed(
            _ keyID: WireText, _ present: KeySet, now: Int64, makeWaiter: () -> Waiter
        ) -> LookUpAction {
            if !keys.isFetching {
                guard unknownKeyIDs.admits(keyID, now: now) else { return .use(present) }
                wanted = keyID
            }
            return keys.join(makeWaiter)
        }
    }
}
