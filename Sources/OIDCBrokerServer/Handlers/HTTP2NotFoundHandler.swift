// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging
import NIOCore
import OIDCBrokerNIO

/// The end of an HTTP/2 stream's pipeline: answers what the broker did not claim by 404, and closes the stream at an error
/// nobody handled. A body that nobody reads ends the stream.
///
/// One handler for both: each costs a stream, which is one request, 4,000 instructions.
final class HTTP2NotFoundHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2RequestPart
    typealias OutboundOut = ServerResponsePart

    private let logger: Logger
    private var head: HTTP2RequestHead?

    /// Logs errors at debug level.
    init(logger: Logger) {
        self.logger = logger
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
        case .body(let bytes):
            guard bytes.readableBytes > 0 else { return }
            answer(context: context, isStreamClosed: true)
        case .end:
            answer(context: context, isStreamClosed: false)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ConnectionErrorHandler.close(context, at: error, logger)
    }

    private func answer(context: ChannelHandlerContext, isStreamClosed: Bool) {
        guard let request = head else { return }
        head = nil
        NotFound.write(isHead: request.method == .head, isLast: isStreamClosed, to: context)
    }
}

@available(*, unavailable)
extension HTTP2NotFoundHandler: Sendable {}
