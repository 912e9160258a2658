// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore

/// A channel handler that closes an HTTP/2 connection whose client sends far more frames than its requests need, opens
/// more streams than there is memory for, or sends a request head that is never complete. It stands between the socket
/// and NIO's HTTP/2 handler, since that handler passes on neither the frames that it ignores nor the fragments of a
/// head, and makes a channel for each stream of a read before one of them can be refused.
final class HTTP2FrameBudgetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The client has sent more frames than it may.
    struct ExcessiveFrames: Error {}

    /// There is no memory for the streams that the client opened.
    struct ExcessiveStreams: Error {}

    /// A request head was not complete in time.
    struct OverdueHead: Error {}

    private let headDeadline: TimeAmount
    private let held: HeldConnection?
    private var budget: HTTP2FrameBudget
    /// Whether the connection is being closed.
    private var isClosing = false
    /// The end of the time of the head that is incomplete, by its number; `nil` if each is complete.
    private var expiry: (head: Int, timer: Scheduled<Void>)?

    /// - Parameters:
    ///   - framesPerRequest: The number of frames at first, and the number that each request adds.
    ///   - headDeadline: The time limit for a request head from its first frame.
    ///   - held: What counts the memory of the connection; `nil` where nothing does.
    init(framesPerRequest: Int, headDeadline: TimeAmount, held: HeldConnection? = nil) {
        self.held = held
        budget = HTTP2FrameBudget(framesPerRequest: framesPerRequest)
        self.headDeadline = headDeadline
    }

    func handlerRemoved(context: ChannelHandlerContext) { disarm() }

    func channelInactive(context: ChannelHandlerContext) {
        disarm()
        context.fireChannelInactive()
    }

    /// Drops the read that exceeds the budget, and everything that arrives while TLS ends the connection.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        let (processed, opened) = (budget.lastStream, budget.streamCount)
        guard budget.received(unwrapInboundIn(data).readableBytesView) else {
            return close(context, after: processed, ExcessiveFrames())
        }
        // Each admitted stream counts itself. A refused one costs as much until the end of the tick, in which one read
        // may open a hundred on every connection.
        let bytes = (budget.streamCount - opened) * HeldMemory.streamBytes
        if bytes > 0, let held {
            guard held.grow(by: bytes) == nil else { return close(context, after: processed, ExcessiveStreams()) }
            context.eventLoop.assumeIsolated().execute { held.shrink(by: bytes) }
        }
        if budget.isInHead { arm(context) } else if expiry != nil { disarm() }
        context.fireChannelRead(data)
    }

    /// Starts the time of the incomplete head, unless it runs.
    private func arm(_ context: ChannelHandlerContext) {
        let head = budget.headCount
        guard expiry?.head != head else { return }
        disarm()
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: headDeadline) {
            self.expiry = nil
            if !self.isClosing { self.close(context, after: self.budget.lastStream, OverdueHead()) }
        }
        expiry = (head, timer)
    }

    private func disarm() {
        expiry?.timer.cancel()
        expiry = nil
    }

    private func close(_ context: ChannelHandlerContext, after stream: UInt32, _ error: any Error) {
        isClosing = true
        disarm()
        // GOAWAY with ENHANCE_YOUR_CALM (RFC 9113 sections 6.8 and 7). NIO's handler writes whole frames, so this one
        // is between two of them.
        var frame = ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0])
        frame.writeInteger(stream)
        frame.writeInteger(11 as UInt32)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        // `ConnectionErrorHandler` closes the connection.
        context.fireErrorCaught(error)
    }
}

@available(*, unavailable)
extension HTTP2FrameBudgetHandler: Sendable {}
