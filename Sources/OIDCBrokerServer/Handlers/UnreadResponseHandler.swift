// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBrokerNIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A channel handler that closes a connection whose client does not read what was written to it, as ``WriteProgress``
/// finds out. Until then it counts the bytes that wait for the client. It is the first handler of its pipeline, between
/// the socket and TLS, so that it can close the connection at once.
///
/// On a write it only adds up bytes, and a timer, which runs only after a write, checks how many of them wait. A
/// promise for each write would cost more. While the socket accepts no more bytes, nothing is read: otherwise a client
/// that sends requests and reads no responses would fill the memory. Nothing is read during a ``ReadPause`` either. In
/// both cases the channel still notices when the peer is gone.
final class UnreadResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The count of the connection's memory; `nil` if it is not counted.
    let held: HeldConnection?
    private var progress: WriteProgress
    private var timer: Scheduled<Void>?
    /// The number of bytes that are counted because the socket accepts no more.
    private var countedBytes = 0
    /// Whether a read was requested and not passed on yet.
    private var isReadHeld = false
    /// Whether the channel requests reads by itself.
    private var readsAutomatically = true
    /// The task that ends the current pause; `nil` if there is no pause.
    private var pauseEnd: Scheduled<Void>?
    /// The last pause, and when it ended.
    private var lastPause = (time: TimeAmount.zero, end: NIODeadline.distantPast)
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - limit: How long bytes may wait.
    ///   - held: The count of the connection's memory; `nil` if it is not counted.
    init(limit: TimeAmount, held: HeldConnection? = nil) {
        progress = WriteProgress(limit: limit)
        self.held = held
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        pauseEnd?.cancel()
        pauseEnd = nil
        self.context = nil
    }

    /// Closes the connection to make room for others.
    func cut(_ cut: MemoryBudget.Cut) {
        guard let context else { return }
        switch cut {
        case .now: abort(context)
        case .ifIdle:
            guard let held, waitingBytes(context) == 0 else { return }
            if pauseEnd != nil, held.holdsNothing {
                // A close through the whole pipeline would wait for a request, and the request for the end of the
                // pause.
                context.close(promise: nil)
            } else if held.isIdle {
                context.channel.close(promise: nil)
            }
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        progress.wrote(unwrapOutboundIn(data).readableBytes)
        if timer == nil { look(at: context.eventLoop.now + progress.interval, context) }
        context.write(data, promise: promise)
        if !context.channel.isWritable { countWaiting(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            held?.shrink(by: countedBytes)
            countedBytes = 0
            releaseRead(context)
        } else {
            countWaiting(context)
        }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        isReadHeld = true
        releaseRead(context)
    }

    private func releaseRead(_ context: ChannelHandlerContext) {
        guard isReadHeld, pauseEnd == nil, context.channel.isWritable else { return }
        isReadHeld = false
        guard !readsAutomatically else { return context.read() }
        readsAutomatically = true
        // The channel reads at once, which was asked for.
        try? context.channel.syncOptions?.setOption(.autoRead, value: true)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let pause = event as? ReadPause else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed(())
        // Each stream of a connection may cause a pause. The last one counts. A client that goes on waits longer.
        let longest = TimeAmount.seconds(ReadPause.maximumSeconds)
        if pauseEnd == nil {
            let isAgain = context.eventLoop.now - lastPause.end < longest
            lastPause.time = isAgain ? min(longest, max(pause.time, lastPause.time * 2)) : pause.time
        }
        pauseEnd?.cancel()
        pauseEnd = context.eventLoop.assumeIsolated().scheduleTask(in: lastPause.time) { self.endPause() }
        held?.pause()
        // This also withdraws a read that was already requested.
        readsAutomatically = false
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    }

    private func endPause() {
        pauseEnd = nil
        guard let context else { return }
        lastPause.end = context.eventLoop.now
        held?.resume()
        // Setting the option alone would read past the handlers that hold a read, and past a full socket.
        isReadHeld = false
        context.pipeline.read()
    }

    /// Counts the bytes that wait in the process and in the kernel.
    private func countWaiting(_ context: ChannelHandlerContext) {
        let bytes = HeldMemory.fullSocketBytes + waitingBytes(context)
        guard let held, bytes > countedBytes else { return }
        guard held.grow(by: bytes - countedBytes) == nil else { return abort(context) }
        countedBytes = bytes
    }

    /// The number of bytes that the socket has not accepted. A channel without this option has no socket.
    private func waitingBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func look(at time: NIODeadline, _ context: ChannelHandlerContext) {
        // The handler is not captured weakly. The timer is canceled when the handler leaves its pipeline, and a weak
        // reference would make every later reference count of the handler go through a second object.
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.look(context) }
    }

    private func look(_ context: ChannelHandlerContext) {
        timer = nil
        switch progress.looked(at: context.eventLoop.now, waiting: waitingBytes(context)) {
        case .clear: break
        case .waits(let until): look(at: until, context)
        case .stalled: abort(context)
        }
    }

    /// Closes the connection and drops what waits for the client, which the kernel would otherwise go on holding.
    private func abort(_ context: ChannelHandlerContext) {
        if let socket = context.channel as? any SocketOptionProvider {
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in }
        }
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension UnreadResponseHandler: Sendable {}
