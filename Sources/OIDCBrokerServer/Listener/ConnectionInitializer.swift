// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS
import OIDCBroker
import OIDCBrokerNIO
import OpenIDRelyingParty

/// A builder of the pipeline of an accepted connection.
///
/// The pipeline consists of the handler that counts written bytes, TLS, the handler that coalesces flushes, the one that
/// closes a silent connection, the deadline for request heads, and the protocol that ALPN selected. The deadline comes
/// before the HTTP decoder because incomplete heads are visible only there.
struct ConnectionInitializer: Sendable {
    let broker: Broker
    let limits: ListenerLimits
    let tls: NIOSSLContext?
    let connections: OpenConnections
    /// Whether the peer is a proxy and not the client.
    var peersAreProxies = false
    let logger: Logger

    /// Configures the pipeline of a channel.
    func initialize(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            connections.add(channel)
            let deadline = RequestHeadDeadlineHandler(deadline: limits.requestHeadDeadline)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(UnreadResponseHandler(limit: limits.responseDeadline))
            guard let tls else {
                try pipeline.addHandler(FlushCoalescingHandler())
                try pipeline.addHandler(deadline)
                return try configureHTTP1(channel, deadline)
            }
            try pipeline.addHandler(NIOSSLServerHandler(context: tls))
            try pipeline.addHandler(FlushCoalescingHandler())
            try pipeline.addHandler(deadline)
            let handshake = HandshakeQuiescingHandler()
            try pipeline.addHandler(handshake)
            let bound = NIOLoopBound(handshake, eventLoop: channel.eventLoop)
            try pipeline.addHandler(
                ApplicationProtocolNegotiationHandler { result, channel in
                    channel.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
                    return channel.eventLoop.makeCompletedFuture {
                        try configure(channel, deadline, chosen: result)
                    }
                })
            try pipeline.addHandler(ConnectionErrorHandler(logger: logger))
        }
    }

    private func configure(
        _ channel: any Channel, _ deadline: RequestHeadDeadlineHandler, chosen: ALPNResult
    ) throws {
        // A connection that was in its handshake when the server began to drain has missed the event.
        guard !connections.isDraining else { throw ChannelError.inputClosed }
        switch chosen {
        case .negotiated("h2"):
            try configureHTTP2(channel, deadline)
        case .negotiated("http/1.1"), .fallback:
            try configureHTTP1(channel, deadline)
        case .negotiated:
            throw ChannelError.operationUnsupported
        }
    }

    private func configureHTTP1(_ channel: any Channel, _ deadline: RequestHeadDeadlineHandler) throws {
        let pipeline = channel.pipeline.syncOperations
        let idle = SilentConnectionHandler(timeout: limits.idleTimeout)
        try pipeline.addHandler(idle, position: .before(deadline))
        try pipeline.addHandler(
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits.http1Decoder)))
        try pipeline.addHandler(HTTP1ConnectionHandler(deadline: deadline, idle: idle))
        try pipeline.addHandler(
            BrokerChannelHandler<HTTP1ServerParts>(
                responder: broker, logger: logger, validatesAuthority: true, peersAreProxies: peersAreProxies))
        try pipeline.addHandler(HTTP1NotFoundHandler())
        try pipeline.addHandler(ConnectionErrorHandler(logger: logger))
        try pipeline.addHandler(InputClosedHandler())
    }
}
