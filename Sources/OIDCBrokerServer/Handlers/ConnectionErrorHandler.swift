// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore

/// A channel handler that closes a connection at an unhandled error. It is the last handler of its pipeline except for
/// ``InputClosedHandler``; on an HTTP/2 stream, ``HTTP2NotFoundHandler`` does the same.
///
/// Only the type of the error is logged, since its description may quote what the peer sent.
final class ConnectionErrorHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let logger: Logger

    /// Creates a handler that logs at debug level.
    init(logger: Logger) {
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        Self.close(context, at: error, logger)
    }

    /// Closes the channel, and logs the reason at debug level.
    static func close(_ context: ChannelHandlerContext, at error: any Error, _ logger: Logger) {
        logger.debug("connection closed after an error", metadata: ["auth.error": "\(type(of: error))"])
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension ConnectionErrorHandler: Sendable {}
