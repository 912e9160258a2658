// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A channel handler that closes a connection whose peer has closed its side of it. It is the last handler of a
/// connection's pipeline.
///
/// A peer that closes its side with its last request, as `nc -N` does, still gets its response (RFC 9112 section 9.6):
/// the broker's handler holds the event until the response is written, and closing a connection flushes first.
final class InputClosedHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}

@available(*, unavailable)
extension InputClosedHandler: Sendable {}
