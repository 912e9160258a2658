// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A channel handler that closes a connection if the server begins to drain during its TLS handshake, when it has no
/// request to finish.
///
/// It leaves the pipeline after the handshake. From then on the handlers of the protocol drain the connection.
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
