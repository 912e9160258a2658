// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection that is silent for too long, in both directions: nothing was read, and nothing was handed to it
/// to be written. A write that does not get out is silence.
///
/// Its one timer is not moved at each read: when it fires it looks when the last one was, and sleeps on. NIO's own
/// handler makes a promise for each write, which costs a microsecond or two a response.
final class IdleConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let timeout: TimeAmount
    private var lastActivity = NIODeadline.distantPast
    private var timer: Scheduled<Void>?

    /// Closes after that time.
    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
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
        lastActivity = context.eventLoop.now
        context.fireChannelReadComplete()
    }

    func flush(context: ChannelHandlerContext) {
        lastActivity = context.eventLoop.now
        context.flush()
    }

    private func start(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        lastActivity = context.eventLoop.now
        sleep(until: lastActivity + timeout, context)
    }

    private func sleep(until time: NIODeadline, _ context: ChannelHandlerContext) {
        // Not weak: it is cancelled with the connection, and counting the references to an object that was ever referred
        // to weakly takes a second object from then on.
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        let time = lastActivity + timeout
        if time > context.eventLoop.now {
            sleep(until: time, context)
        } else {
            context.close(promise: nil)
        }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension IdleConnectionHandler: Sendable {}
