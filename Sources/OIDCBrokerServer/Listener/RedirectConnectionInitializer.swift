// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import OIDCBroker
import OIDCBrokerNIO
import OIDCBrokerRecords

/// A builder of the pipeline of a connection to the plain listener that sends browsers to the public URL. Its limits and
/// deadlines are those of the server's other connections; it serves one request.
struct RedirectConnectionInitializer: Sendable {
    let broker: Broker
    let limits: ListenerLimits
    let connections: OpenConnections
    let connectionLimits: ConnectionLimits
    /// The configuration, which says whether a line is written for each request.
    var live = LiveServerConfiguration(ServerConfiguration())
    /// The logger of these lines.
    var accessLogger: Logger?
    let logger: Logger

    /// Configures the pipeline of a channel.
    func initialize(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let held = try connectionLimits.admit(channel, with: .peer)
            connections.add(channel)
            let access =
                live.rules.writesAccessLines
                ? accessLogger.map { OtherRequestLog(log: AccessLog($0), clientAddressing: .peer) } : nil
            try HTTP1Pipeline(limits: limits, access: access, date: broker.responseDate, logger: logger).configure(
                channel, held: held, coalescesFlushes: false
            ) { pipeline in
                try pipeline.addHandler(RedirectHandler(publicURL: broker.publicURL, access: access))
            }
        }
    }
}
