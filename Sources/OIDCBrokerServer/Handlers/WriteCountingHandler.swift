// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Counts what is written to a socket, behind TLS, for ``IdleConnectionHandler``, which looks now and then how much of it
/// is out. The first handler of its pipeline.
///
/// A promise for each write would say it too, and costs a microsecond or two a response.
final class WriteCountingHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var progress: WriteProgress

    /// Bytes may wait for that long.
    init(limit: TimeAmount) {
        progress = WriteProgress(limit: limit)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        progress.wrote(unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    /// How often to ask.
    var interval: TimeAmount { progress.interval }

    /// Whether the client reads.
    func look(_ channel: any Channel, at now: NIODeadline) -> WriteProgress.Finding {
        // A channel that does not tell has no socket.
        let waiting = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return progress.looked(at: now, waiting: waiting)
    }
}

@available(*, unavailable)
extension WriteCountingHandler: Sendable {}
