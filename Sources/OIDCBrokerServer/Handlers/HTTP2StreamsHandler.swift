// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2

/// What an HTTP/2 connection knows of its streams: how long each waits, and how often they were in error. The last handler
/// but those for errors and half-closed connections; frames pass it by.
///
/// A stream whose request does not come is reset. A response that a client does not take ends the connection: what a
/// client's windows and its socket hold back is memory here, and a reset would only let it ask again.
final class HTTP2StreamsHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame

    private var deadlines: StreamDeadlines
    private var errors: StreamErrors
    /// By slot.
    private var streams: [HTTP2StreamHandler?] = []
    private let idle: SilentConnectionHandler?
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?

    /// For one connection.
    ///
    /// - Parameter idle: Hears of each frame of a stream.
    init(limits: ListenerLimits, idle: SilentConnectionHandler?) {
        deadlines = StreamDeadlines(request: limits.requestDeadline, response: limits.responseDeadline)
        errors = StreamErrors(maximum: limits.maximumStreamResets)
        self.idle = idle
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    // MARK: Streams

    /// A stream waits.
    ///
    /// - Returns: what the stream names itself by from now on.
    func began(_ stream: HTTP2StreamHandler, _ wait: StreamDeadlines.Wait) -> Int? {
        guard let context else { return nil }
        let (slot, look) = deadlines.began(wait, at: context.eventLoop.now)
        if slot < streams.count {
            streams[slot] = stream
        } else {
            streams.append(stream)
        }
        schedule(look)
        return slot
    }

    /// A stream waits for something else.
    func proceeded(_ slot: Int, to wait: StreamDeadlines.Wait) {
        guard let context else { return }
        schedule(deadlines.proceeded(slot, to: wait, at: context.eventLoop.now))
    }

    /// A stream is closed.
    func ended(_ slot: Int) {
        if slot < streams.count { streams[slot] = nil }
        deadlines.ended(slot)
    }

    /// A frame of a request came.
    func progressed() {
        idle?.progressed()
    }

    /// A stream was in error; too many of them end the connection.
    func erred() {
        guard let context, errors.erred(at: context.eventLoop.now) else { return }
        context.close(promise: nil)
    }

    // MARK: Timer

    private func schedule(_ look: NIODeadline?) {
        guard let look, let context else { return }
        timer?.cancel()
        // Not weak: it is canceled with the connection.
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: look) { self.look() }
    }

    private func look() {
        timer = nil
        guard let context else { return }
        let (overdue, look) = deadlines.looked(at: context.eventLoop.now)
        schedule(look)
        for stream in overdue {
            let handler = streams[stream.slot]
            streams[stream.slot] = nil
            switch stream.wait {
            case .request: handler?.reset(.cancel)
            case .response: handler?.reset(.internalError)
            case .delivery: return context.close(promise: nil)
            }
        }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
        context = nil
        streams.removeAll()
    }
}

@available(*, unavailable)
extension HTTP2StreamsHandler: Sendable {}
