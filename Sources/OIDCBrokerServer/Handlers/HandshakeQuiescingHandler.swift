// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Closes a connection that is still in its TLS handshake when the server begins to drain: it has no request to finish.
///
/// It leaves when the handshake is done; from then on the protocol's own handlers drain.
final class HandshakeQuiescingHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}

@available(*, unavailable)
extension HandshakeQuiescingHandler: Sendable {}
