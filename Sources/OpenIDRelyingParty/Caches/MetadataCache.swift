// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OpenIDConnect

/// The cached metadata of one provider.
///
/// It is fetched when it is first used, by one request for all callers, and is refreshed in the background before it
/// expires. If the provider is down, it is used for up to a day.
package final class MetadataCache: Sendable {
    package typealias Fetch = @Sendable (any EventLoop) -> Eventual<FetchedDocument<ProviderMetadata>>
    package typealias StateMachine<Waiter: Sendable> = AgeingDocument<ProviderMetadata, Waiter>

    private let cache: DocumentCache<StateMachine<EventLoopPromise<ProviderMetadata>>>

    /// Creates an empty cache.
    /// - Parameter elapsed: The clock for ages and pauses.
    package init(elapsed: any ElapsedClock) {
        cache = DocumentCache(StateMachine(), step: .discovery, elapsed: elapsed)
    }

    /// What is known about the metadata now. Nothing is fetched.
    package var status: DocumentStatus { cache.status() }

    /// The metadata, cached or fetched. A future is of the given event loop; it fails with ``RelyingPartyError``.
    package func metadata(on eventLoop: any EventLoop, fetch: Fetch) -> Eventual<ProviderMetadata> {
        cache.look(on: eventLoop, fetch: fetch) { state, now, makeWaiter in
            state.lookUp(now: now, makeWaiter: makeWaiter)
        }.document
    }
}
