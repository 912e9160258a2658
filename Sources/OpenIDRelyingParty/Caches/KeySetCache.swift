// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore

/// The cached keys of one provider.
///
/// They are fetched when they are first used, by one request for all callers. If a token names a key ID that is not
/// among them, they are fetched again at once, and after that only once per cooldown. They are refreshed in the
/// background before they expire. If the provider is down, they are used for up to an hour past their expiry.
package final class KeySetCache: Sendable {
    package typealias Fetch = @Sendable (any EventLoop) -> Eventual<FetchedDocument<KeySet>>

    /// The time past its expiry for which a key set is used while it cannot be fetched: one hour, in seconds. A longer
    /// time would keep keys in use that the provider has withdrawn.
    package static let servesPastExpiry: Int64 = 3600

    private let cache: DocumentCache<StateMachine<EventLoopPromise<KeySet>>>

    /// Creates an empty cache.
    /// - Parameters:
    ///   - elapsed: The clock for ages and pauses.
    ///   - expiredServe: A closure that is called with the error of each failed fetch after which expired keys stay in
    ///     use.
    package init(
        elapsed: any ElapsedClock, expiredServe: @escaping @Sendable (RelyingPartyError) -> Void = { _ in }
    ) {
        cache = DocumentCache(StateMachine(), step: .keySet, elapsed: elapsed, expiredServe: expiredServe)
    }

    /// What is known about the keys now. Nothing is fetched.
    package var status: DocumentStatus { cache.status() }

    /// The keys, with the one of the given id among them if the provider has it. The future is of the given event loop;
    /// it fails with ``RelyingPartyError``.
    package func keySet(
        containing keyID: WireText?,
        on eventLoop: any EventLoop,
        fetch: @escaping Fetch
    ) -> Eventual<KeySet> {
        let first = look(for: keyID, on: eventLoop, fetch: fetch)
        guard first.isOfEarlierFetch, let keyID else { return first.document }
        // The provider may have responded to the fetch under way before it made the key of this token.
        return first.document.flatMap { [self] keys in
            guard !keys.contains(keyID: keyID) else { return .value(keys) }
            return look(for: keyID, on: eventLoop, fetch: fetch).document
        }
    }

    private func look(
        for keyID: WireText?, on eventLoop: any EventLoop, fetch: Fetch
    ) -> DocumentCache<StateMachine<EventLoopPromise<KeySet>>>.LookUp {
        cache.look(on: eventLoop, fetch: fetch) { state, now, makeWaiter in
            state.lookUp(keyID: keyID, now: now, makeWaiter: makeWaiter)
        }
    }

    /// The keys after those in use did not verify a token: fetched again within the same limits as for an unknown key
    /// id; `nil` if they are not, so there are no others to try.
    /// - Parameter namesKey: Whether the token has a `kid`. The keys must then be older than the cooldown.
    package func keySetAfterMismatch(
        namesKey: Bool = false, on eventLoop: any EventLoop, fetch: Fetch
    ) -> Eventual<KeySet>? {
        let keys = cache.look(on: eventLoop, fetch: fetch) { state, now, makeWaiter in
            state.lookUpAfterMismatch(namesKey: namesKey, now: now, makeWaiter: makeWaiter)
        }.document
        if case .value = keys { return nil }
        return keys
    }
}
