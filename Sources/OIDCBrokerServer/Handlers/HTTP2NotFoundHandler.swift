// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP2
import OIDCBrokerNIO

/// The last channel handler of an HTTP/2 stream. It responds with 404 to requests that the broker does not handle, and
/// closes the stream at an unhandled error.
///
/// The response does not wait for a body that is not read: it is sent after the head, and the stream ends with it (RFC
/// 9113 section 8.1).
///
/// It is a single handler because each handler adds to the cost of a stream, which is one request.
final class HTTP2NotFoundHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2RequestPart
    typealias OutboundOut = ServerResponsePart

    private let logger: Logger
    private let access: OtherRequestLog?

    /// Creates a handler that logs errors at debug level.
    /// - Parameter access: What writes a line about each request; `nil` for none.
    init(logger: Logger, access: OtherRequestLog? = nil) {
        self.logger = logger
        self.access = access
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        let isHead = head.method == .head
        if let access {
            let bytes = isHead ? 0 : NotFound.text.utf8.count
            access.write(access.request(head, context), status: NotFound.response.status.code, bytes: bytes, context)
        }
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
