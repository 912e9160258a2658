// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A channel handler that closes a connection on which nothing progresses for too long. It is on the socket's side of the
/// broker: behind the broker the close would wait for a response that is under way.
///
/// On HTTP/2 only the frames of streams are progress: a peer that sends a PING now and then, or does not acknowledge
/// the server's, keeps no connection open. On HTTP/1 the first bytes of a head, the parts of requests and the ends of
/// responses are. NIO's `IdleStateHandler` counts every byte, and makes a promise for each write.
///
/// Its one timer is not moved each time: when it fires it looks when the last progress was, and is set anew.
final class SilentConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Whether the connection is being closed.
    private var isClosing = false
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

    /// Drops what arrives while TLS ends the connection: a request could use up a code, and would get no response.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isClosing { context.fireChannelRead(data) }
    }

    /// A stream, a request or a response progressed.
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
        guard end <= context.eventLoop.now else { return look(at: end, context) }
        isClosing = true
        context.close(promise: nil)
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension SilentConnectionHandler: Sendable {}
