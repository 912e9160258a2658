// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A channel handler that closes an HTTP/2 connection on which no stream progresses for too long.
///
/// Only the frames of streams are progress: a peer that sends a PING now and then, or acknowledges none of the server's,
/// keeps nothing open. NIO's `IdleStateHandler`, which closes idle HTTP/1 connections, counts every byte.
///
/// Its one timer is not moved at each frame: when it fires it looks when the last one was, and is set anew.
final class SilentConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let timeout: TimeAmount
    private var lastProgress = NIODeadline.distantPast
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?

    /// - Parameter timeout: How long a connection may be without progress.
    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { start(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    /// A stream progressed.
    func progressed() {
        guard let context else { return }
        lastProgress = context.eventLoop.now
    }

    private func start(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        lastProgress = context.eventLoop.now
        look(at: lastProgress + timeout, context)
    }

    private func look(at time: NIODeadline, _ context: ChannelHandlerContext) {
        // Not captured weakly; see `UnreadResponseHandler`.
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        let end = lastProgress + timeout
        guard end > context.eventLoop.now else { return context.close(promise: nil) }
        look(at: end, context)
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension SilentConnectionHandler: Sendable {}
