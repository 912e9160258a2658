// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOSSL
import Synchronization

/// Requests to providers over connections of its own, without AsyncHTTPClient: the same rules, a third of the price.
///
/// HTTP/1.1, kept alive, one pool for each event loop; no HTTP/2. Requests through a proxy go through an
/// ``AsyncHTTPClientTransport`` inside. ``AsyncHTTPClientTransport`` is the one to
/// begin with: it is what most servers trust already. This one is for whoever counts the microseconds of a return, and is
/// not public yet: its TLS has no tests of its own.
/// ``shutdown()`` must be called before the transport is let go.
package final class NIOTransport: ProviderTransport {
    private let group: any EventLoopGroup
    private let pools: [ObjectIdentifier: NIOClientPool]
    private let proxied: AsyncHTTPClientTransport

    /// A transport whose connections live on the given group: the server's own, so that requests stay on their loop.
    package init(eventLoopGroup: any EventLoopGroup) {
        group = eventLoopGroup
        proxied = AsyncHTTPClientTransport(eventLoopGroup: eventLoopGroup)
        let contexts = TLSContexts()
        pools = Dictionary(
            eventLoopGroup.makeIterator().map { (ObjectIdentifier($0), NIOClientPool(loop: $0, contexts: contexts)) },
            uniquingKeysWith: { first, _ in first })
    }

    package func execute(_ request: ProviderRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ProviderResponse> {
        guard request.trust.proxy == nil else { return proxied.execute(request, on: eventLoop) }
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

    /// Closes all connections. Call it once, after the last request; one that is under way fails.
    package func shutdown() async throws {
        for pool in pools.values {
            try await pool.loop.submit { pool.shutdown() }.get()
        }
        try await proxied.shutdown()
    }
}

/// TLS configurations, each read once: certificate authorities are slow to parse.
final class TLSContexts: Sendable {
    private let contexts = Mutex<[ProviderTrust: NIOSSLContext]>([:])

    /// - Throws: ``ProviderTransportError/unusableTrust`` for authorities that can not be read.
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
