// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import OIDCBroker
import OIDCBrokerNIO
import OIDCBrokerRecords

/// A builder of the pipeline of a connection to the loopback listener: plain HTTP/1.1, with the deadlines of the server's
/// other connections but for that of a request head, and places of its own.
struct LoopbackConnectionInitializer: Sendable {
    let broker: Broker
    let limits: ListenerLimits
    let connections: OpenConnections
    /// The limits on connections to this listener.
    let connectionLimits: ConnectionLimits
    /// The configuration as of the last reload.
    let live: LiveServerConfiguration
    /// The logger of the lines about requests, if the configuration asks for them.
    let accessLogger: Logger?
    let logger: Logger
    private let longBodies = LongBodies()

    /// Configures the pipeline of a channel. A connection that is refused is closed before a byte is read from it.
    func initialize(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            // Each client is this machine, so that none has a limit of its own.
            let held = try connectionLimits.admit(channel, from: nil)
            connections.add(channel)
            connections.chose(.http1, channel)
            var limits = limits
            limits.requestHeadDeadline = limits.loopbackHeadDeadline
            let accessLogger = live.rules.writesAccessLines ? accessLogger : nil
            let others = accessLogger.map { OtherRequestLog(log: AccessLog($0), clientAddressing: .peer) }
            try HTTP1Pipeline(limits: limits, access: others, date: broker.responseDate, logger: logger).configure(
                channel, held: held, coalescesFlushes: true
            ) { pipeline in
                try pipeline.addHandler(
                    BrokerChannelHandler<HTTP1ServerParts>(
                        responder: LoopbackResponder(broker: broker, live: live, longBodies: longBodies),
                        logger: logger,
                        clientAddressing: .peer, accessLogger: accessLogger))
                try pipeline.addHandler(HTTP1NotFoundHandler(access: others))
            }
        }
    }
}
