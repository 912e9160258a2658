// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Keeps the connection open when it is to be closed, as TLS does until the peer has closed its side.
final class LingeringClose: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    /// Whether the next close is only counted. A channel must be closed at the end of its test.
    var lingers = true
    private(set) var count = 0

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        self.count += 1
        guard self.lingers else { return context.close(mode: mode, promise: promise) }
        promise?.succeed(())
    }
}
