// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A channel handler that closes a connection whose request head does not arrive in time, however steadily its bytes
/// trickle in.
///
/// It stands behind TLS and before the HTTP decoder. It is armed when the connection becomes active, so that the TLS
/// handshake counts, and by the first bytes of every later head; it is disarmed by ``HTTP1ConnectionHandler``, which stands
/// behind the decoder and sees when a head is complete, and whose state machine decides. It also closes the connection when
/// NIO's `IdleStateHandler` finds it idle.
final class RequestHeadDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let deadline: TimeAmount
    private var context: ChannelHandlerContext?
    private var expiry: Scheduled<Void>?
    private var isRetired = false
    /// The handler behind the decoder; `nil` until the protocol is known, and on HTTP/2.
    var connection: HTTP1ConnectionHandler?

    /// - Parameter deadline: How long each head may take.
    init(deadline: TimeAmount) {
        self.deadline = deadline
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { arm() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        disarm()
        self.context = nil
        connection = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        arm()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        disarm()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let connection else {
            context.fireChannelRead(data)
            return arm()
        }
        guard let before = connection.machine.willDecode() else { return }
        context.fireChannelRead(data)
        // The decoder decodes while it is given the bytes: no head now means that a part of one waits in it.
        if connection.machine.awaitsHead(since: before) { arm() }
    }

    /// There is no further head to wait for: HTTP/2 has its own rules.
    func retire() {
        isRetired = true
        disarm()
    }

    private func arm() {
        guard !isRetired, expiry == nil, let context else { return }
        expiry = context.eventLoop.assumeIsolated().scheduleTask(in: deadline) { self.expire() }
    }

    /// Closes an idle connection here, on the socket's side of the broker: there the event would wait for a response that
    /// is under way.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }

    /// A head is complete, or the connection is being closed.
    func disarm() {
        expiry?.cancel()
        expiry = nil
    }

    private func expire() {
        expiry = nil
        if connection?.machine.closesAtHeadDeadline() ?? true {
            context?.close(promise: nil)
        } else {
            arm()
        }
    }
}

@available(*, unavailable)
extension RequestHeadDeadlineHandler: Sendable {}
