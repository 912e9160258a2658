// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A handler that joins the writes and flushes of one event loop tick into one at its end. It is placed after the TLS
/// handler.
///
/// AsyncHTTPClient flushes the head and the body of a request separately, which costs a POST a second system call, a
/// second packet and, with TLS, a second record.
///
/// In addition, all connections of an event loop write one after the other; see ``EndOfTick``.
package final class FlushCoalescingHandler: ChannelOutboundHandler {
    package typealias OutboundIn = IOData
    package typealias OutboundOut = IOData

    /// The maximum size of a write that is copied behind another one, in bytes. A larger write is passed on as it is.
    private static let maximumCopy = 16_384

    private var isScheduled = false
    private var held: (bytes: ByteBuffer, promise: EventLoopPromise<Void>?)?

    /// Creates a handler that holds no write.
    package init() {}

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(let bytes) = unwrapOutboundIn(data) else {
            release(context)
            return context.write(data, promise: promise)
        }
        guard var held, bytes.readableBytes <= Self.maximumCopy else {
            release(context)
            self.held = (bytes, promise)
            return
        }
        // The held buffer is released first, so that appending to it makes no copy. A write without bytes appends
        // nothing.
        self.held = nil
        if bytes.readableBytes > 0 { held.bytes.writeImmutableBuffer(bytes) }
        // The promise of the first write completes first.
        if let promise { held.promise?.futureResult.cascade(to: promise) }
        self.held = (held.bytes, held.promise ?? promise)
    }

    package func flush(context: ChannelHandlerContext) {
        guard !isScheduled else { return }
        isScheduled = true
        EndOfTick.run(on: context.eventLoop) {
            self.isScheduled = false
            self.release(context)
            context.flush()
        }
    }

    /// Drops the held write.
    ///
    /// - Returns: Whether there was one. No byte of a held write has been passed on.
    package func takeBack() -> Bool {
        guard let held else { return false }
        self.held = nil
        held.promise?.fail(ChannelError.ioOnClosedChannel)
        return true
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        release(context)
        if isScheduled { context.flush() }
        context.close(mode: mode, promise: promise)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        let held = self.held
        self.held = nil
        held?.promise?.fail(ChannelError.ioOnClosedChannel)
    }

    private func release(_ context: ChannelHandlerContext) {
        guard let held else { return }
        self.held = nil
        context.write(wrapOutboundOut(.byteBuffer(held.bytes)), promise: held.promise)
    }
}

@available(*, unavailable)
extension FlushCoalescingHandler: Sendable {}
