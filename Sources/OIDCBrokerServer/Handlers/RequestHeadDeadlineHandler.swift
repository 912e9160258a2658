// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A channel handler that closes a connection whose request head does not arrive in time, however steadily its bytes
/// trickle in.
///
/// Add it after TLS and before the HTTP decoder. The deadline starts when the connection becomes active, so that it
/// includes the TLS handshake, and with the first bytes of each later head. ``HTTP1ConnectionHandler``, which is after
/// the decoder, ends it when a head is complete.
final class RequestHeadDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let deadline: TimeAmount
    private var context: ChannelHandlerContext?
    private var expiry: Scheduled<Void>?
    private var isRetired = false
    /// The handler behind the decoder; `nil` until the protocol is known, and on HTTP/2.
    var connection: HTTP1ConnectionHandler?

    /// Creates a handler with a deadline for each head.
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
            arm()
            return
        }
        guard let before = connection.machine.willDecode() else { return }
        context.fireChannelRead(data)
        // The decoder processes the bytes synchronously. If there is no head now, it holds a part of one.
        if connection.machine.awaitsHead(since: before), arm() { connection.headBegan() }
    }

    /// Stops expecting heads, since HTTP/2 has rules of its own.
    func retire() {
        isRetired = true
        disarm()
    }

    /// Starts the deadline unless it runs.
    /// - Returns: Whether it was started.
    @discardableResult
    private func arm() -> Bool {
        guard !isRetired, expiry == nil, let context else { return false }
        expiry = context.eventLoop.assumeIsolated().scheduleTask(in: deadline) { self.expire() }
        return true
    }

    /// A head is complete, or the connection is being closed.
    func disarm() {
        expiry?.cancel()
        expiry = nil
    }

    /// Closes the connection on the socket's side of the broker: on its other side a close would wait for a response that
    /// is under way.
    func close() {
        connection?.stopReading()
        context?.close(promise: nil)
    }

    private func expire() {
        expiry = nil
        if connection?.machine.closesAtHeadDeadline() ?? true {
            close()
        } else {
            arm()
        }
    }
}

@available(*, unavailable)
extension RequestHeadDeadlineHandler: Sendable {}
