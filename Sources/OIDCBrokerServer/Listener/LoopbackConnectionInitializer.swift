// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerNIO
import OpenIDRelyingParty

/// A builder of the pipeline of a connection to the loopback listener: plain HTTP/1.1, with the limits and deadlines of the
/// server's other connections.
struct LoopbackConnectionInitializer: Sendable {
    let broker: Broker
    let limits: ListenerLimits
    let connections: OpenConnections
    let connectionLimits: ConnectionLimits
    /// The configuration as of the last reload.
    let live: LiveServerConfiguration
    /// The logger of the lines about requests, if the configuration asks for them.
    let accessLogger: Logger?
    let logger: Logger

    /// Configures the pipeline of a channel. A connection that is refused is closed before a byte is read from it.
    func initialize(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            try connectionLimits.admit(channel, with: .peer)
            connections.add(channel)
            connections.chose(.http1, channel)
            let accessLogger = live.rules.writesAccessLines ? accessLogger : nil
            let others = accessLogger.map { OtherRequestLog(log: AccessLog($0), clientAddressing: .peer) }
            let deadline = RequestHeadDeadlineHandler(deadline: limits.requestHeadDeadline)
            let idle = SilentConnectionHandler(timeout: limits.idleTimeout)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(UnreadResponseHandler(limit: limits.responseDeadline))
            try pipeline.addHandler(FlushCoalescingHandler())
            try pipeline.addHandler(idle)
            try pipeline.addHandler(deadline)
            try pipeline.addHandler(
                ByteToMessageHandler(
                    HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits.http1Decoder)))
            try pipeline.addHandler(HTTP1ConnectionHandler(deadline: deadline, idle: idle, access: others))
            try pipeline.addHandler(
                BrokerChannelHandler<HTTP1ServerParts>(
                    responder: LoopbackResponder(broker: broker, live: live), logger: logger, clientAddressing: .peer,
                    accessLogger: accessLogger))
            try pipeline.addHandler(HTTP1NotFoundHandler(access: others))
            try pipeline.addHandler(ConnectionErrorHandler(logger: logger))
            try pipeline.addHandler(InputClosedHandler())
        }
    }
}
