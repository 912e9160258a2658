// SPDX-License-Identifier: Apache-2.0

import Admission
import EventLoopTicks
import Logging
package import NIOCore
import NIOSSL
import NIOTLS
import OIDCBroker
import OIDCBrokerNIO
import OIDCBrokerRecords
import OpenIDRelyingParty

/// A builder of the pipeline of an accepted connection.
///
/// The pipeline consists of the handler that counts written bytes, TLS, the handler that coalesces flushes, the one that
/// closes a silent connection, the deadline for request heads, and the protocol that ALPN selected. The deadline comes
/// before the HTTP decoder because incomplete heads are visible only there.
package struct ConnectionInitializer: Sendable {
    let broker: Broker
    let limits: ListenerLimits
    let tls: NIOSSLContext?
    let connections: OpenConnections
    /// The configuration. The rules for a connection are taken from it when the connection is accepted.
    var live = LiveServerConfiguration(ServerConfiguration())
    /// The limits on open connections, with the counters of refusals; `nil` for none.
    var connectionLimits: ConnectionLimits?
    /// The logger of the lines about requests, if the configuration asks for them.
    var accessLogger: Logger?
    let logger: Logger

    /// What a connection was given when it was accepted.
    struct Accepted: Sendable {
        /// Where the addresses of its clients come from.
        var clientAddressing = ClientAddressing.unknown
        /// The field that its responses get.
        var strictTransportSecurity: StrictTransportSecurity?
        /// The logger of the lines about its requests; `nil` for none.
        var accessLogger: Logger?

        /// What writes the lines about requests that are not the broker's; `nil` for none.
        var others: OtherRequestLog? {
            accessLogger.map { OtherRequestLog(log: AccessLog($0), clientAddressing: clientAddressing) }
        }
    }

    /// Configures the pipeline of a channel. A connection that is refused is closed before a byte is read from it.
    package func initialize(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let (accepted, held) = try accept(channel)
            connections.add(channel)
            let deadline = RequestHeadDeadlineHandler(deadline: limits.requestHeadDeadline)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(UnreadResponseHandler(limit: limits.responseDeadline, held: held))
            guard let tls else {
                try pipeline.addHandler(FlushCoalescingHandler())
                try pipeline.addHandler(deadline)
                return try configureHTTP1(channel, deadline, accepted)
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
                        try configure(channel, deadline, accepted, chosen: result)
                    }
                })
            try pipeline.addHandler(ConnectionErrorHandler(logger: logger))
        }
    }

    private func accept(_ channel: any Channel) throws -> (Accepted, HeldConnection?) {
        let rules = live.rules
        guard case .served(let clientAddressing) = rules.decision(about: channel.remoteAddress) else {
            connectionLimits?.refusals.count(.untrusted)
            throw ConnectionRefusal.untrusted
        }
        let held = try connectionLimits?.admit(channel, with: clientAddressing)
        let announcesSecurity = StrictTransportSecurity.applies(to: broker.publicURL)
        let accepted = Accepted(
            clientAddressing: clientAddressing,
            strictTransportSecurity: announcesSecurity ? rules.strictTransportSecurity : nil,
            accessLogger: rules.writesAccessLines ? accessLogger : nil)
        return (accepted, held)
    }

    private func configure(
        _ channel: any Channel, _ deadline: RequestHeadDeadlineHandler, _ accepted: Accepted, chosen: ALPNResult
    ) throws {
        // A connection that was in its handshake when the server began to drain has missed the event.
        guard !connections.isDraining else { throw ChannelError.inputClosed }
        switch chosen {
        case .negotiated("h2"):
            connections.chose(.http2, channel)
            try configureHTTP2(channel, deadline, accepted)
        case .negotiated("http/1.1"), .fallback:
            try configureHTTP1(channel, deadline, accepted)
        case .negotiated:
            throw ChannelError.operationUnsupported
        }
    }

    private func configureHTTP1(
        _ channel: any Channel, _ deadline: RequestHeadDeadlineHandler, _ accepted: Accepted
    ) throws {
        connections.chose(.http1, channel)
        let http1 = HTTP1Pipeline(
            limits: limits, access: accepted.others, strictTransportSecurity: accepted.strictTransportSecurity,
            date: broker.responseDate, logger: logger)
        try http1.configure(channel, behind: deadline) { pipeline in
            try pipeline.addHandler(
                BrokerChannelHandler<HTTP1ServerParts>(
                    responder: StandaloneResponder(broker: broker), logger: logger, validatesAuthority: true,
                    clientAddressing: accepted.clientAddressing, pausesReads: true,
                    accessLogger: accepted.accessLogger))
            try pipeline.addHandler(HTTP1NotFoundHandler(access: accepted.others))
        }
    }
}
