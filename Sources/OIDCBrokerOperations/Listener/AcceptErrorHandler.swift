// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Metrics
package import NIOCore
package import OpenIDRelyingParty

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A channel handler of a listener that waits before it accepts again when the process, or the system, has no more
/// descriptors or memory, and tells the operator.
///
/// NIO keeps the listener open then and asks for the next connection, which is the same one: the event loop would do
/// nothing but try. NIO's `AcceptBackoffHandler` holds reads back, but the read that failed is still pending, so it is
/// never asked. Only a listener that does not read at all is left alone by the selector.
///
/// Meanwhile, ``SpareDescriptors`` are released for requests under way. It accepts again once it could reserve them.
package final class AcceptErrorHandler: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    /// The time until the next attempt. It is short, since another part may have freed a descriptor meanwhile.
    package static let pause = TimeAmount.milliseconds(100)

    private let clock: any ElapsedClock
    private let logger: Logger
    private let failures: Counter
    private var spares = SpareDescriptors()
    private var resumption: Scheduled<Void>?
    /// The second of the last line. One line a second is written.
    private var written: Int64?

    /// Creates a handler for the channel of a listener.
    /// - Parameters:
    ///   - clock: The clock of the log. One line a second is written.
    ///   - logger: The logger of connections that cannot be accepted.
    ///   - metricsFactory: What makes the counter of these.
    package init(
        clock: any ElapsedClock = SystemElapsedClock(), logger: Logger, metricsFactory: any MetricsFactory
    ) {
        self.clock = clock
        self.logger = logger
        failures = Counter(label: "auth_limits", dimensions: [("limit", "descriptors")], factory: metricsFactory)
    }

    /// Adds a handler to the channel of a listener, before all others.
    package static func add(to channel: any Channel, logger: Logger, metricsFactory: any MetricsFactory) throws {
        try channel.pipeline.syncOperations.addHandler(
            AcceptErrorHandler(logger: logger, metricsFactory: metricsFactory))
    }

    package func handlerAdded(context: ChannelHandlerContext) { _ = spares.take() }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A connection that was gone before it was accepted is no reason to wait: any client can cause that.
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        spares.giveUp()
        note(error.errnoCode)
        guard resumption == nil else { return }
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        resume(context)
    }

    private func resume(_ context: ChannelHandlerContext) {
        resumption = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            if let error = spares.take() {
                note(error)
                return resume(context)
            }
            resumption = nil
            // It reads at once. A listener that was closed meanwhile has nothing to read.
            try? context.channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        stop()
        spares.giveUp()
    }

    private func stop() {
        resumption?.cancel()
        resumption = nil
    }

    private func note(_ errorNumber: CInt) {
        failures.increment()
        let now = clock.now()
        guard written != now else { return }
        written = now
        logger.error(
            "cannot accept connections: out of file descriptors or memory",
            metadata: ["auth.detail": "errno \(errorNumber)"])
    }
}
