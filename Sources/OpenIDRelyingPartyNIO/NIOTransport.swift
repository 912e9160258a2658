// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDRelyingParty

/// A transport over HTTP/1.1 connections of its own, with the same rules as `AsyncHTTPClientTransport` and at a lower
/// cost per request.
///
/// Host names are looked up on threads of its own, so that the name servers of one provider delay no other provider;
/// AsyncHTTPClient has one queue of lookups for each event loop.
///
/// Connections are kept alive, in one pool for each event loop. Requests through a proxy are sent by an
/// `AsyncHTTPClientTransport` inside. Call ``shutdown()`` before the transport is released.
public final class NIOTransport: ProviderTransport {
    /// How long a connection attempt may take.
    package static let connectTimeout = TimeAmount.seconds(4)

    private let group: any EventLoopGroup
    private let pools: [ObjectIdentifier: NIOClientPool]
    private let lookups: HostLookups
    /// The transport for requests that the pools do not support.
    private let asyncHTTPClient: AsyncHTTPClientTransport

    /// Creates a transport whose connections use the given group. Pass the server's own group, so that requests stay on
    /// their event loop.
    public convenience init(eventLoopGroup: any EventLoopGroup) {
        self.init(eventLoopGroup: eventLoopGroup, lookups: HostLookups(elapsed: SystemElapsedClock()))
    }

    /// A transport with other lookups, for tests of those.
    package init(
        eventLoopGroup: any EventLoopGroup, lookups: HostLookups,
        connectTimeout: TimeAmount = NIOTransport.connectTimeout
    ) {
        group = eventLoopGroup
        self.lookups = lookups
        asyncHTTPClient = AsyncHTTPClientTransport(eventLoopGroup: eventLoopGroup)
        let contexts = TLSContexts()
        pools = Dictionary(
            eventLoopGroup.makeIterator().map { loop in
                (
                    ObjectIdentifier(loop),
                    NIOClientPool(
                        loop: loop, contexts: contexts, lookups: lookups, connectTimeout: connectTimeout)
                )
            },
            uniquingKeysWith: { first, _ in first })
    }

    public func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        guard request.trust.proxy == nil else { return asyncHTTPClient.execute(request, on: eventLoop) }
        // An event loop outside the group, as in an embedder's test, is replaced by one of the group.
        let loop = pools[ObjectIdentifier(eventLoop)] == nil ? group.any() : eventLoop
        guard let pool = pools[ObjectIdentifier(loop)] else {
            return eventLoop.makeFailedFuture(ProviderTransportError.interrupted)
        }
        let promise = loop.makePromise(of: ProviderResponse.self)
        if loop.inEventLoop {
            pool.execute(request, promise)
        } else {
            loop.execute { pool.execute(request, promise) }
        }
        return promise.futureResult.hop(to: eventLoop)
    }

    /// Closes all connections and fails the requests under way. Call this once, after the last request.
    public func shutdown() async throws {
        for pool in pools.values {
            try await pool.loop.submit { pool.shutdown() }.get()
        }
        lookups.shutdown()
        try await asyncHTTPClient.shutdown()
    }
}
