// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore
import Synchronization

/// The keys of one provider: fetched at their first use, by one request whoever waits; again at once when a token names
/// a key that is not there, then not for a while; refreshed in the background ahead of their expiry; used on where the
/// provider is down, for an hour past their expiry.
package final class KeySetCache: Sendable {
    package typealias Fetch = @Sendable (any EventLoop) -> EventLoopFuture<FetchedDocument<KeySet>>

    /// Seconds past its expiry for which a key set serves on while it cannot be fetched: an hour. What is longer than a
    /// restart of the provider would keep keys in use that it has withdrawn.
    package static let servesPastExpiry: Int64 = 3600

    private let state = Mutex(StateMachine<EventLoopPromise<KeySet>>())
    private let elapsed: any ElapsedClock

    private let expiredServe: @Sendable (RelyingPartyError) -> Void

    /// An empty cache.
    /// - Parameters:
    ///   - elapsed: what ages and pauses are counted by.
    ///   - expiredServe: called with what each fetch failed with after which expired keys serve on.
    package init(
        elapsed: any ElapsedClock, expiredServe: @escaping @Sendable (RelyingPartyError) -> Void = { _ in }
    ) {
        self.elapsed = elapsed
        self.expiredServe = expiredServe
    }

    /// The keys, with the one of the given id among them if the provider has it. The future is of the given event loop;
    /// it fails with ``RelyingPartyError``.
    package func keySet(
        containing keyID: WireText?,
        on eventLoop: any EventLoop,
        fetch: @escaping Fetch
    ) -> Eventual<KeySet> {
        look(on: eventLoop, fetch: fetch, mayLookAgain: keyID) { state, now, makeWaiter in
            state.lookUp(keyID: keyID, now: now, makeWaiter: makeWaiter)
        }
    }

    /// The keys after those there are did not verify a token: fetched again within the same limits as for an unknown key
    /// id; `nil` if they are not, so that there are no others to try.
    /// - Parameter namesKey: whether the token has a `kid`: the keys must be older than the cooldown then.
    package func keySetAfterMismatch(
        namesKey: Bool = false, on eventLoop: any EventLoop, fetch: @escaping Fetch
    ) -> Eventual<KeySet>? {
        let keys = look(on: eventLoop, fetch: fetch, mayLookAgain: nil) { state, now, makeWaiter in
            state.lookUpAfterMismatch(namesKey: namesKey, now: now, makeWaiter: makeWaiter)
        }
        if case .value = keys { return nil }
        return keys
    }

    private typealias Machine = StateMachine<EventLoopPromise<KeySet>>

    private func look(
        on eventLoop: any EventLoop,
        fetch: @escaping Fetch,
        mayLookAgain keyID: WireText?,
        _ lookUp: (inout Machine, Int64, () -> EventLoopPromise<KeySet>) -> Machine.LookUpAction
    ) -> Eventual<KeySet> {
        var promise: EventLoopPromise<KeySet>?
        let now = elapsed.now()
        let action = state.withLock { state in
            lookUp(&state, now) {
                let made = eventLoop.makePromise(of: KeySet.self)
                promise = made
                return made
            }
        }
        switch action {
        case .use(let keys):
            return .value(keys)
        case .useAndFetch(let keys):
            run(fetch, on: eventLoop)
            return .value(keys)
        case .fail(let error):
            return .failure(error)
        case .fetch:
            run(fetch, on: eventLoop)
        case .wait:
            // The fetch under way may have been answered before the key was made that this token is signed with.
            guard let keyID, let waiting = promise?.futureResult else { break }
            return Eventual.future(waiting).flatMap(on: eventLoop) { [self] keys in
                guard !keys.contains(keyID: keyID) else { return .value(keys) }
                return look(on: eventLoop, fetch: fetch, mayLookAgain: nil) { state, now, makeWaiter in
                    state.lookUp(keyID: keyID, now: now, makeWaiter: makeWaiter)
                }
            }
        }
        return promise.map { .future($0.futureResult) } ?? .failure(RelyingPartyError.unusable(.keySet, "not fetched"))
    }

    private func run(_ fetch: Fetch, on eventLoop: any EventLoop) {
        fetch(eventLoop).whenComplete { [self] result in
            let now = elapsed.now()
            switch result {
            case .success(let fetched):
                let waiters = state.withLock { $0.fetched(fetched, now: now) }
                for waiter in waiters { waiter.succeed(fetched.value) }
            case .failure(let error):
                let error = error as? RelyingPartyError ?? .unusable(.keySet, "failed")
                let (action, isExpired) = state.withLock { state in
                    (state.failed(error, now: now), state.servesPastExpiry(now: now))
                }
                if isExpired { expiredServe(error) }
                switch action {
                case .use(let keys, let waiters):
                    for waiter in waiters { waiter.succeed(keys) }
                case .fail(let waiters):
                    for waiter in waiters { waiter.fail(error) }
                }
            }
        }
    }
}
