// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore
import Synchronization

/// The cached keys of one provider.
///
/// They are fetched when they are first used, by one request for all callers. If a token names a key id that is not
/// among them, they are fetched again at once, and after that only once per cooldown. They are refreshed in the
/// background before they expire. If the provider is down, they are used for up to an hour past their expiry.
package final class KeySetCache: Sendable {
    package typealias Fetch = @Sendable (any EventLoop) -> EventLoopFuture<FetchedDocument<KeySet>>

    /// The time past its expiry for which a key set is used while it cannot be fetched: one hour, in seconds. A longer
    /// time would keep keys in use that the provider has withdrawn.
    package static let servesPastExpiry: Int64 = 3600

    private let state = Mutex(StateMachine<EventLoopPromise<KeySet>>())
    private let elapsed: any ElapsedClock

    private let expiredServe: @Sendable (RelyingPartyError) -> Void

    /// Creates an empty cache.
    /// - Parameters:
    ///   - elapsed: The clock for ages and pauses.
    ///   - expiredServe: A closure that is called with the error of each failed fetch after which expired keys stay in
    ///     use.
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
            // The provider may have responded to the fetch under way before it made the key of this token.
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
