// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOHTTP2
import OIDCBrokerNIO

extension ConnectionInitializer {
    /// Configures HTTP/2: a handler that counts frames, one that reads them, one for the lifetime of the connection,
    /// and a pipeline for each stream.
    func configureHTTP2(
        _ channel: any Channel, _ deadline: RequestHeadDeadlineHandler, _ accepted: Accepted = Accepted()
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let idle = SilentConnectionHandler(timeout: limits.http2SilenceTimeout)
        try pipeline.addHandler(idle, position: .before(deadline))
        let held = try? pipeline.handler(type: UnreadResponseHandler.self).held
        let streams = HTTP2StreamsHandler(limits: limits, idle: idle, held: held ?? nil)
        let boundStreams = NIOLoopBound(streams, eventLoop: channel.eventLoop)
        let life = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop, configuration: limits.http2Life)
        let observer = StreamObserver(
            life: life.http2StreamDelegate, deadline: NIOLoopBound(deadline, eventLoop: channel.eventLoop),
            idle: NIOLoopBound(idle, eventLoop: channel.eventLoop))
        try pipeline.addHandler(
            HTTP2FrameBudgetHandler(
                framesPerRequest: limits.maximumFramesPerRequest, headDeadline: limits.requestHeadDeadline,
                held: held ?? nil))
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server,
            connectionConfiguration: limits.http2Connection,
            streamConfiguration: limits.http2Stream,
            streamDelegate: observer,
            inboundStreamInitializer: { stream in
                stream.eventLoop.makeCompletedFuture {
                    try Self.configure(
                        stream: stream, of: boundStreams.value, responder: StandaloneResponder(broker: broker),
                        limits: limits, logger: logger, accepted: accepted)
                }
            })
        try pipeline.addHandler(life)
        try pipeline.addHandler(streams)
        try pipeline.addHandler(ConnectionErrorHandler(logger: logger))
        try pipeline.addHandler(InputClosedHandler())
        // The connection became active before these handlers were added. Without this event the idle timer would not
        // start.
        try pipeline.context(handlerType: NIOHTTP2Handler.self).fireChannelActive()
    }

    /// Configures the pipeline of a stream.
    static func configure(
        stream: any Channel, of streams: HTTP2StreamsHandler, responder: any BrokerResponder, limits: ListenerLimits,
        logger: Logger, accepted: Accepted = Accepted()
    ) throws {
        let pipeline = stream.pipeline.syncOperations
        try pipeline.addHandler(
            HTTP2StreamHandler(
                limits: limits, streams: streams, strictTransportSecurity: accepted.strictTransportSecurity,
                date: responder.responseDate, access: accepted.others, responder: responder))
        try pipeline.addHandler(
            BrokerChannelHandler<HTTP2ServerParts>(
                responder: responder, logger: logger, validatesAuthority: true,
                clientAddressing: accepted.clientAddressing, pausesReads: true,
                accessLogger: accepted.accessLogger))
        try pipeline.addHandler(HTTP2NotFoundHandler(logger: logger, access: accepted.others))
    }
}

/// An observer of streams. The first stream of a connection is its first request head. The end of each stream, like its
/// frames, counts as activity of the connection.
struct StreamObserver: NIOHTTP2StreamDelegate {
    let life: NIOHTTP2ServerConnectionManagementHandler.HTTP2StreamDelegate
    let deadline: NIOLoopBound<RequestHeadDeadlineHandler>
    let idle: NIOLoopBound<SilentConnectionHandler>

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
        deadline.value.retire()
        life.streamCreated(id, channel: channel)
    }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
        idle.value.progressed()
        life.streamClosed(id, channel: channel)
    }
}
