// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import NIOSSL
package import OpenIDConnect
import Synchronization

/// A transport over HTTP/1.1 connections of its own, with the same rules as ``AsyncHTTPClientTransport`` and at a lower
/// cost per request.
///
/// It is meant for deployments that optimize the latency of a callback. Others should begin with
/// ``AsyncHTTPClientTransport``, which is widely used.
///
/// Connections are kept alive, in one pool for each event loop. Requests through a proxy, and webhooks, are sent by an
/// ``AsyncHTTPClientTransport`` inside. Call ``shutdown()`` before the transport is released.
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

    /// Posts bytes to an address that the operator configured, which may be a private one, and returns the status.
    ///
    /// The request is sent once, by AsyncHTTPClient: notifications are too rare to be worth connections of their own.
    package func post(
        _ body: [UInt8],
        to url: AbsoluteURL,
        fields: [(name: String, value: String)],
        deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Int> {
        asyncHTTPClient.post(body, to: url, fields: fields, deadline: deadline, on: eventLoop)
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

/// The TLS contexts by trust. Each is created once, because parsing certificate authorities is slow.
final class TLSContexts: Sendable {
    private let contexts = Mutex<[ProviderTrust: NIOSSLContext]>([:])

    /// Returns the TLS context for a trust.
    /// - Throws: ``ProviderTransportError/unusableTrust`` if the certificate authorities, or the client's certificate
    ///   or key, cannot be read.
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
