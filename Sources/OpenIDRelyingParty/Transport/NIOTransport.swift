// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import NIOSSL
package import OpenIDConnect
import Synchronization

/// Requests to providers over connections of its own: the same rules as ``AsyncHTTPClientTransport``, at a third of what
/// its request costs.
///
/// It is for whoever counts the microseconds of a callback. ``AsyncHTTPClientTransport`` is the one to begin with: it is
/// what most servers trust already.
///
/// HTTP/1.1 only; connections are kept alive, in one pool for each event loop. What goes through a proxy, and webhooks,
/// go through an ``AsyncHTTPClientTransport`` inside. ``shutdown()`` must be called before the transport is let go.
public final class NIOTransport: ProviderTransport {
    /// How long a connection attempt may take.
    package static let connectTimeout = TimeAmount.seconds(4)

    private let group: any EventLoopGroup
    private let pools: [ObjectIdentifier: NIOClientPool]
    private let lookups: HostLookups
    /// For what the pools do not do.
    private let asyncHTTPClient: AsyncHTTPClientTransport

    /// A transport whose connections live on the given group: the server's own, so that requests stay on their loop.
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
        // A loop that is not of the group's kind, as in an embedder's test, borrows one that is.
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

    /// Posts bytes to an address that the operator named, which may be a private one; gives the status. Sent once, by
    /// AsyncHTTPClient: notifications are too rare to be worth connections of their own.
    package func post(
        _ body: [UInt8],
        to url: AbsoluteURL,
        fields: [(name: String, value: String)],
        deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Int> {
        asyncHTTPClient.post(body, to: url, fields: fields, deadline: deadline, on: eventLoop)
    }

    /// Closes all connections. Call it once, after the last request; one that is under way fails.
    public func shutdown() async throws {
        for pool in pools.values {
            try await pool.loop.submit { pool.shutdown() }.get()
        }
        lookups.shutdown()
        try await asyncHTTPClient.shutdown()
    }
}

/// TLS configurations, each read once: certificate authorities are slow to parse.
final class TLSContexts: Sendable {
    private let contexts = Mutex<[ProviderTrust: NIOSSLContext]>([:])

    /// - Throws: ``ProviderTransportError/unusableTrust`` for authorities that cannot be read.
    func context(for trust: ProviderTrust) throws -> NIOSSLContext {
        try contexts.withLock { contexts in
            if let known = contexts[trust] { return known }
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            tls.applicationProtocols = ["http/1.1"]
            if let pem = trust.certificateAuthorities {
                guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else {
                    throw ProviderTransportError.unusableTrust
                }
                tls.trustRoots = .certificates(certificates)
            }
            if let certificate = trust.clientCertificate { try certificate.apply(to: &tls) }
            let made = try NIOSSLContext(configuration: tls)
            contexts[trust] = made
            return made
        }
    }
}
