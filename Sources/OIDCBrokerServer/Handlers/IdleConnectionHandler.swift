// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection that does nothing for too long, or whose client does not read what was written to it.
///
/// On HTTP/1 each read and each flush is something. On HTTP/2 only the frames of streams are: whoever sends a PING now and
/// then, or acknowledges none of ours, uses the connection for nothing.
///
/// Its one timer is not moved at each read: when it fires it looks when the last one was, and sleeps on. NIO's own
/// handler makes a promise for each write, which costs a microsecond or two a response.
final class IdleConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let timeout: TimeAmount
    private let countsBytes: Bool
    private let writes: WriteCountingHandler?
    private var lastActivity = NIODeadline.distantPast
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?

    /// Closes after that time.
    ///
    /// - Parameters:
    ///   - countsBytes: Whether bytes are activity; else ``progressed()`` alone is.
    ///   - writes: Says whether the client reads, of the same connection.
    init(timeout: TimeAmount, countsBytes: Bool = true, writes: WriteCountingHandler? = nil) {
        self.timeout = timeout
        self.countsBytes = countsBytes
        self.writes = writes
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

    func channelReadComplete(context: ChannelHandlerContext) {
        if countsBytes { lastActivity = context.eventLoop.now }
        context.fireChannelReadComplete()
    }

    func flush(context: ChannelHandlerContext) {
        if countsBytes { lastActivity = context.eventLoop.now }
        context.flush()
    }

    /// Something was done with the connection.
    func progressed() {
        guard let context else { return }
        lastActivity = context.eventLoop.now
    }

    private func start(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        lastActivity = context.eventLoop.now
        sleep(until: lastActivity + timeout, context)
    }

    private func sleep(until end: NIODeadline, _ context: ChannelHandlerContext) {
        var time = end
        if let writes { time = min(time, context.eventLoop.now + writes.interval) }
        // Not weak: it is canceled with the connection, and counting the references to an object that was ever referred
        // to weakly takes a second object from then on.
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        var time = lastActivity + timeout
        guard time > now else { return context.close(promise: nil) }
        switch writes?.look(context.channel, at: now) {
        case .stalled: return context.close(promise: nil)
        case .waits(let until): time = min(time, until)
        case .clear, nil: break
        }
        sleep(until: time, context)
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension IdleConnectionHandler: Sendable {}
