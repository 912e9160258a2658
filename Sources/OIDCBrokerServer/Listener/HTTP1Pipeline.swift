// SPDX-License-Identifier: Apache-2.0

import Admission
import EventLoopTicks
import Logging
import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO
import OpenIDRelyingParty

/// A builder of the handlers of an HTTP/1.1 connection, which are those of each listener around the ones that respond.
struct HTTP1Pipeline {
    let limits: ListenerLimits
    /// What writes the lines about requests to which no other handler responds; `nil` for none.
    var access: OtherRequestLog?
    /// The field that responses get.
    var strictTransportSecurity: StrictTransportSecurity?
    /// The field `Date` that responses get.
    let date: ResponseDate?
    let logger: Logger

    /// Configures a connection without TLS.
    /// - Parameters:
    ///   - channel: The channel, whose pipeline is empty.
    ///   - held: What counts the memory of the connection.
    ///   - coalescesFlushes: Whether several responses may be written at once.
    ///   - addResponders: Adds the handlers that respond.
    func configure(
        _ channel: any Channel, held: HeldConnection?, coalescesFlushes: Bool,
        _ addResponders: (ChannelPipeline.SynchronousOperations) throws -> Void
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let deadline = RequestHeadDeadlineHandler(deadline: limits.requestHeadDeadline)
        try pipeline.addHandler(UnreadResponseHandler(limit: limits.responseDeadline, held: held))
        if coalescesFlushes { try pipeline.addHandler(FlushCoalescingHandler()) }
        try pipeline.addHandler(deadline)
        try configure(channel, behind: deadline, addResponders)
    }

    /// Configures a connection on which HTTP/1.1 was chosen.
    /// - Parameters:
    ///   - channel: The channel.
    ///   - deadline: The handler of the deadline for request heads, the last one of the pipeline so far.
    ///   - addResponders: Adds the handlers that respond.
    func configure(
        _ channel: any Channel, behind deadline: RequestHeadDeadlineHandler,
        _ addResponders: (ChannelPipeline.SynchronousOperations) throws -> Void
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let idle = SilentConnectionHandler(timeout: limits.idleTimeout)
        try pipeline.addHandler(idle, position: .before(deadline))
        try pipeline.addHandler(
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits.http1Decoder)))
        let held = try? pipeline.handler(type: UnreadResponseHandler.self).held
        try pipeline.addHandler(
            HTTP1ConnectionHandler(
                deadline: deadline, idle: idle, strictTransportSecurity: strictTransportSecurity, date: date,
                access: access, held: held ?? nil))
        try addResponders(pipeline)
        try pipeline.addHandler(ConnectionErrorHandler(logger: logger))
        try pipeline.addHandler(InputClosedHandler())
    }
}
