// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOHTTP2
import OIDCBrokerNIO

/// A channel handler that tracks the streams of an HTTP/2 connection: how long each has waited, and how many were in
/// error. It is the last handler except for those for errors and half-closed connections. Frames do not pass through
/// it.
///
/// A stream whose request is not received in time is reset. A response that the client does not read closes the
/// connection: what the client's windows and socket hold back occupies memory, and after a reset the client could just
/// send the request again.
final class HTTP2StreamsHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame

    private var deadlines: StreamDeadlines
    private var errors: StreamErrors
    /// The waiting streams, by slot.
    private var streams: [HTTP2StreamHandler?] = []
    private let idle: SilentConnectionHandler?
    private let held: HeldConnection?
    /// The maximum of ``unreadBytes``.
    private let maximumUnreadBytes: Int
    /// The number of bytes of responses to streams that are not closed yet.
    private var unreadBytes = 0
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?

    /// Creates a handler for one connection.
    ///
    /// - Parameters:
    ///   - limits: The limits of the connection.
    ///   - idle: The handler that is told of each frame of a stream.
    ///   - held: What counts the memory of the connection; `nil` where nothing does.
    init(limits: ListenerLimits, idle: SilentConnectionHandler?, held: HeldConnection? = nil) {
        self.held = held
        deadlines = StreamDeadlines(request: limits.requestDeadline, response: limits.responseDeadline)
        errors = StreamErrors(maximum: limits.maximumStreamResets)
        maximumUnreadBytes = limits.maximumUnreadBytes
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

    /// Records that a stream waits.
    ///
    /// - Returns: The slot that identifies the stream from now on.
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

    /// Records that a stream waits for something else.
    func proceeded(_ slot: Int, to wait: StreamDeadlines.Wait) {
        guard let context else { return }
        schedule(deadlines.proceeded(slot, to: wait, at: context.eventLoop.now))
    }

    /// Records the close of a stream.
    func ended(_ slot: Int) {
        if slot < streams.count { streams[slot] = nil }
        deadlines.ended(slot)
    }

    /// Counts a stream whose head came, unless the client holds too much.
    /// - Parameter bytes: What it costs.
    func admitStream(_ bytes: Int) -> Bool { held?.grow(by: bytes) == nil }

    /// Records a response that is about to be written, unless too much of earlier ones was not read.
    func admit(_ bytes: Int) -> Bool {
        guard unreadBytes <= maximumUnreadBytes - bytes, held?.grow(by: bytes) == nil else { return false }
        unreadBytes += bytes
        return true
    }

    /// Records the close of a stream that was admitted.
    /// - Parameters:
    ///   - bytes: What it cost.
    ///   - unread: The number of bytes of its response.
    func closed(_ bytes: Int, unread: Int) {
        unreadBytes -= unread
        held?.shrink(by: bytes + unread)
    }

    /// Records a frame of a request.
    func progressed() {
        idle?.progressed()
    }

    /// Has the connection not read for a time.
    func pause(_ pause: ReadPause, _ promise: EventLoopPromise<Void>?) {
        guard let context else {
            promise?.fail(ChannelError.alreadyClosed)
            return
        }
        context.triggerUserOutboundEvent(pause, promise: promise)
    }

    /// Records a stream error. Too many of them close the connection.
    func erred() {
        guard let context, errors.erred(at: context.eventLoop.now) else { return }
        context.close(promise: nil)
    }

    // MARK: Timer

    private func schedule(_ look: NIODeadline?) {
        guard let look, let context else { return }
        timer?.cancel()
        // A strong reference suffices, because the timer is canceled with the connection.
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
