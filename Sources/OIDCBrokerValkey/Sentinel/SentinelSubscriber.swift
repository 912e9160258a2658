// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Keeps one subscription at the sentinels of a store: after it ended, a second later at the next sentinel.
final class SentinelSubscriber: Sendable {
    /// The time after the end of a subscription until the next one.
    static let pause = TimeAmount.seconds(1)

    private struct State {
        /// The number of the sentinel that is next.
        var turn = 0
        var channel: (any Channel)?
        var renewal: Scheduled<Void>?
        var isShutDown = false
    }

    private let access: SentinelAccess
    private let eventLoop: any EventLoop
    private let onSwitch: @Sendable (ValkeyAddress) -> Void
    private let state: NIOLoopBoundBox<State>

    /// - Parameters:
    ///   - access: The sentinels.
    ///   - eventLoop: Where it runs.
    ///   - onSwitch: What is called with each new address of the primary, on the event loop.
    init(
        _ access: SentinelAccess, on eventLoop: any EventLoop, onSwitch: @escaping @Sendable (ValkeyAddress) -> Void
    ) {
        self.access = access
        self.eventLoop = eventLoop
        self.onSwitch = onSwitch
        // Replicas begin at different ones: one that is cut off with a sentinel hears of no switch.
        let first = Int.random(in: 0..<max(1, access.addresses.count))
        state = NIOLoopBoundBox.makeBoxSendingValue(State(turn: first), eventLoop: eventLoop)
    }

    /// Begins to subscribe. It may be called from any thread.
    func start() {
        eventLoop.execute { self.subscribe() }
    }

    /// Ends the subscription and makes none any more. It may be called from any thread.
    func shutdown() -> EventLoopFuture<Void> {
        eventLoop.submit {
            self.state.value.isShutDown = true
            self.state.value.renewal?.cancel()
            self.state.value.renewal = nil
            self.state.value.channel?.close(promise: nil)
        }
    }

    private func subscribe() {
        state.value.renewal = nil
        guard !state.value.isShutDown else { return }
        let sentinel = access.addresses[state.value.turn]
        state.value.turn = (state.value.turn + 1) % access.addresses.count
        access.dialer.dial(sentinel, on: eventLoop) { pipeline in
            try pipeline.addHandler(
                SentinelSubscription(self.access, eventLoop: self.eventLoop, onSwitch: self.onSwitch))
        }.flatMap { channel -> EventLoopFuture<Void> in
            guard !self.state.value.isShutDown else { return channel.close() }
            self.state.value.channel = channel
            return channel.setOption(.autoRead, value: true).flatMap { channel.closeFuture }
        }.whenComplete { _ in self.renew() }
    }

    private func renew() {
        state.value.channel?.close(promise: nil)
        state.value.channel = nil
        guard !state.value.isShutDown else { return }
        state.value.renewal = eventLoop.scheduleTask(in: Self.pause) { self.subscribe() }
    }
}
