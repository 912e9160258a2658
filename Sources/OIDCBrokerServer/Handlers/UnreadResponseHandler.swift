// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A channel handler that closes a connection whose client does not read what was written to it, as ``WriteProgress``
/// finds it out. It is the first handler of its pipeline, behind TLS.
///
/// It only counts bytes at a write, and looks now and then how many of them wait; a promise for each write would cost
/// more. Its timer runs only after a write.
final class UnreadResponseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var progress: WriteProgress
    private var timer: Scheduled<Void>?

    /// - Parameter limit: How long bytes may wait.
    init(limit: TimeAmount) {
        progress = WriteProgress(limit: limit)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        progress.wrote(unwrapOutboundIn(data).readableBytes)
        if timer == nil { look(at: context.eventLoop.now + progress.interval, context) }
        context.write(data, promise: promise)
    }

    private func look(at time: NIODeadline, _ context: ChannelHandlerContext) {
        // The handler is not captured weakly: the timer is canceled when the handler leaves its pipeline, and counting the
        // references to an object with a weak reference takes a second object from then on.
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        timer = nil
        // A channel without that option has no socket.
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        switch progress.looked(at: context.eventLoop.now, waiting: waiting) {
        case .clear: break
        case .waits(let until): look(at: until, context)
        case .stalled: context.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension UnreadResponseHandler: Sendable {}
