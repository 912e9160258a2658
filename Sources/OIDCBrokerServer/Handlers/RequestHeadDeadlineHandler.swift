// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection whose request head does not arrive in time, however steadily its bytes trickle in.
///
/// Stands behind TLS and before the HTTP decoder. Armed when the connection becomes active, so that the TLS handshake
/// counts, and by the first bytes of every later head; disarmed by ``HTTP1ConnectionHandler``, which stands behind the
/// decoder and sees when a head is complete.
final class RequestHeadDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let deadline: TimeAmount
    private var context: ChannelHandlerContext?
    private var expiry: Scheduled<Void>?
    private var isRetired = false
    /// Whether the decoder is between a head and its end.
    private var isInRequest = false
    private var headsParsed = 0
    private var responsesOutstanding = 0
    private var isClosing = false

    /// A deadline for each head.
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
        // TLS may take seconds to close, and a decoder that has stopped keeps whatever it is given meanwhile.
        guard !isClosing else { return }
        let wasInRequest = isInRequest
        let before = headsParsed
        context.fireChannelRead(data)
        // The decoder decodes while it is given the bytes: no head now means that a part of one waits in it.
        if !wasInRequest, headsParsed == before { arm() }
    }

    /// A request head is complete.
    func headParsed() {
        disarm()
        isInRequest = true
        headsParsed += 1
        responsesOutstanding += 1
    }

    /// A request is complete.
    func requestEnded() {
        isInRequest = false
    }

    /// A response was written to its end.
    func responseEnded() {
        responsesOutstanding = max(0, responsesOutstanding - 1)
    }

    /// The connection is being closed: what still comes is dropped.
    func closing() {
        isClosing = true
        disarm()
    }

    /// There is no further head to wait for: HTTP/2 has its own rules.
    func retire() {
        isRetired = true
        disarm()
    }

    private func arm() {
        guard !isRetired, !isClosing, expiry == nil, let context else { return }
        expiry = context.eventLoop.assumeIsolated().scheduleTask(in: deadline) { self.expire() }
    }

    private func disarm() {
        expiry?.cancel()
        expiry = nil
    }

    private func expire() {
        expiry = nil
        if responsesOutstanding > 0 {
            // The broker's handler does not read while a response is due: the rest of the head may be on its way.
            arm()
        } else {
            context?.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension RequestHeadDeadlineHandler: Sendable {}
