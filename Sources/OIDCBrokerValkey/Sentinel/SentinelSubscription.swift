// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A connection on which a sentinel announces another primary, used on its event loop only. Its messages come without a
/// question. It is closed when the sentinel is silent or says what it must not.
///
/// Add it to a channel that is active.
final class SentinelSubscription: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The time between two questions whether the sentinel is still there. Each must be answered before the next one.
    static let lookInterval = TimeAmount.seconds(5)

    private let eventLoop: any EventLoop
    private let authentication: RESPCommand?
    private let onSwitch: @Sendable (ValkeyAddress) -> Void
    private var machine: StateMachine
    private var decoder = RESPDecoder()
    private var received = ByteBuffer()
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - access: The sentinels.
    ///   - onSwitch: What is called with each new address of the primary.
    init(
        _ access: SentinelAccess, eventLoop: any EventLoop, onSwitch: @escaping @Sendable (ValkeyAddress) -> Void
    ) {
        self.eventLoop = eventLoop
        authentication = access.authentication
        self.onSwitch = onSwitch
        machine = StateMachine(primaryName: access.primaryName, authenticates: access.authentication != nil)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        self.context = context
        var bytes = ByteBuffer()
        authentication?.write(into: &bytes)
        RESPCommand("SUBSCRIBE", .text(SwitchedPrimary.channel)).write(into: &bytes)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        lookLater()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        forget()
    }

    func channelInactive(context: ChannelHandlerContext) {
        forget()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if received.readableBytes == 0 {
            received = bytes
        } else {
            received.writeBuffer(&bytes)
        }
        do throws(RESPError) {
            while let value = try decoder.next(&received) {
                switch machine.received(value) {
                case .none: break
                case .switched(let address): onSwitch(address)
                case .close: return context.close(promise: nil)
                }
            }
        } catch {
            return context.close(promise: nil)
        }
        received.discardReadBytes()
    }

    private func forget() {
        context = nil
        timer?.cancel()
        timer = nil
    }

    private func lookLater() {
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: eventLoop.now + Self.lookInterval) {
            self.look()
        }
    }

    private func look() {
        guard let context else { return }
        switch machine.look() {
        case .close: context.close(promise: nil)
        case .ask:
            var bytes = ByteBuffer()
            RESPCommand("PING").write(into: &bytes)
            context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            lookLater()
        }
    }
}

@available(*, unavailable)
extension SentinelSubscription: Sendable {}
