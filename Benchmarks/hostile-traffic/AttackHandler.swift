// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOTLS

/// A channel handler that executes a script on its connection and completes a promise with the counts at the end.
final class AttackHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var run: HostileScriptRun
    private let isTLS: Bool
    /// The time at which the client gives up.
    private let patience: NIODeadline
    /// The time at which everything ends.
    private let end: NIODeadline
    private let ended: EventLoopPromise<HostileCounts>
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    private var hasBegun = false
    private var isPaused = false
    private var wasActive = false

    init(
        _ run: HostileScriptRun, isTLS: Bool, patience: NIODeadline, end: NIODeadline,
        ended: EventLoopPromise<HostileCounts>
    ) {
        self.run = run
        self.isTLS = isTLS
        self.patience = min(patience, end)
        self.end = end
        self.ended = ended
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.cancel()
        // Without a connection, the connection attempt reports the failure.
        if wasActive { ended.succeed(run.counts) }
    }

    func channelActive(context: ChannelHandlerContext) {
        wasActive = true
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: patience) {
            if self.patience < self.end { self.run.gaveUp() } else { self.run.stopped() }
            self.context?.close(promise: nil)
        }
        if !isTLS { begin() }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Begins after the handshake, because a script may stop reading at once.
        if let event = event as? TLSUserEvent, case .handshakeCompleted = event { begin() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unwrapInboundIn(data).withUnsafeReadableBytes { run.received($0) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasBegun, !isPaused { goOn() }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        run.closed()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func begin() {
        hasBegun = true
        goOn()
    }

    private func goOn() {
        while let context {
            switch run.next() {
            case .write(let bytes):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .pause(let milliseconds, let reads):
                isPaused = true
                setReading(reads)
                context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) {
                    self.isPaused = false
                    self.goOn()
                }
                return
            case .read:
                return setReading(true)
            case .close:
                return context.close(promise: nil)
            }
        }
    }

    private func setReading(_ reads: Bool) {
        // A closed channel has no options.
        try? context?.channel.syncOptions?.setOption(.autoRead, value: reads)
    }
}

@available(*, unavailable)
extension AttackHandler: Sendable {}
