// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A channel handler that closes an HTTP/2 connection whose client sends far more frames than its requests need. It
/// stands between the socket and NIO's HTTP/2 handler, since that handler does not pass on the frames that it ignores.
final class HTTP2FrameBudgetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The client has sent more frames than it may.
    struct ExcessiveFrames: Error {}

    private var budget: HTTP2FrameBudget
    /// Whether the connection is being closed.
    private var isClosing = false

    /// - Parameter framesPerRequest: The number of frames at first, and the number that each request adds.
    init(framesPerRequest: Int) {
        budget = HTTP2FrameBudget(framesPerRequest: framesPerRequest)
    }

    /// Drops the read that exceeds the budget, and everything that arrives while TLS ends the connection.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        let processed = budget.lastStream
        guard budget.received(unwrapInboundIn(data).readableBytesView) else { return close(context, after: processed) }
        context.fireChannelRead(data)
    }

    private func close(_ context: ChannelHandlerContext, after stream: UInt32) {
        isClosing = true
        // GOAWAY with ENHANCE_YOUR_CALM (RFC 9113 sections 6.8 and 7). NIO's handler writes whole frames, so this one
        // is between two of them.
        var frame = ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0])
        frame.writeInteger(stream)
        frame.writeInteger(11 as UInt32)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        // `ConnectionErrorHandler` closes the connection.
        context.fireErrorCaught(ExcessiveFrames())
    }
}

@available(*, unavailable)
extension HTTP2FrameBudgetHandler: Sendable {}
