// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP2
import OIDCBrokerNIO

/// The end of an HTTP/2 stream's pipeline: answers what the broker did not claim by 404, and closes the stream at an error
/// nobody handled.
///
/// The answer does not wait for a body that nobody reads: it goes out at the head, and the stream ends with it (RFC 9113
/// section 8.1).
///
/// One handler for both: each costs a stream, which is one request, 4,000 instructions.
final class HTTP2NotFoundHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2RequestPart
    typealias OutboundOut = ServerResponsePart

    private let logger: Logger

    /// Logs errors at debug level.
    init(logger: Logger) {
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        let isHead = head.method == .head
        guard !head.endsStream else { return NotFound.writeWhole(isHead: isHead, to: context) }
        NotFound.writeWhole(isHead: isHead, to: context) { context in
            context.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: .noError), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ConnectionErrorHandler.close(context, at: error, logger)
    }
}

@available(*, unavailable)
extension HTTP2NotFoundHandler: Sendable {}
