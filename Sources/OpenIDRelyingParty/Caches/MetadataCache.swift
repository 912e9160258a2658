// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OpenIDConnect
import Synchronization

/// The cached metadata of one provider.
///
/// It is fetched when it is first used, by one request for all callers, and is refreshed in the background before it
/// expires. If the provider is down, it is used for up to a day.
package final class MetadataCache: Sendable {
    package typealias Fetch = @Sendable (any EventLoop) -> EventLoopFuture<FetchedDocument<ProviderMetadata>>

    private let state = Mutex(StateMachine<EventLoopPromise<ProviderMetadata>>())
    private let elapsed: any ElapsedClock

    /// Creates an empty cache.
    /// - Parameter elapsed: The clock for ages and pauses.
    package init(elapsed: any ElapsedClock) {
        self.elapsed = elapsed
    }

    /// The metadata, cached or fetched. A future is of the given event loop; it fails with ``RelyingPartyError``.
    package func metadata(
        on eventLoop: any EventLoop,
        fetch: @escaping Fetch
    ) -> Eventual<ProviderMetadata> {
        var promise: EventLoopPromise<ProviderMetadata>?
        let now = elapsed.now()
        let action = state.withLock { state in
            state.lookUp(now: now) {
                let made = eventLoop.makePromise(of: ProviderMetadata.self)
                promise = made
                return made
            }
        }
        switch action {
        case .use(let metadata):
            return .value(metadata)
        case .useAndFetch(let metadata):
            run(fetch, on: eventLoop)
            return .value(metadata)
        case .fail(let error):
            return .failure(error)
        case .fetch:
            run(fetch, on: eventLoop)
        case .wait:
            break
        }
        return promise.map { .future($0.futureResult) }
            ?? .failure(RelyingPartyError.unusable(.discovery, "not fetched"))
    }

    private func run(_ fetch: Fetch, on eventLoop: any EventLoop) {
        fetch(eventLoop).whenComplete { [self] result in
            let now = elapsed.now()
            switch result {
            case .success(let fetched):
                let waiters = state.withLock { $0.fetched(fetched, now: now) }
                for waiter in waiters { waiter.succeed(fetched.value) }
            case .failure(let error):
                let error = error as? RelyingPartyError ?? .unusable(.discovery, "failed")
                switch state.withLock({ $0.failed(error, now: now) }) {
                case .use(let metadata, let waiters):
                    for waiter in waiters { waiter.succeed(metadata) }
                case .fail(let waiters):
                    for waiter in waiters { waiter.fail(error) }
                }
            }
        }
    }
}
