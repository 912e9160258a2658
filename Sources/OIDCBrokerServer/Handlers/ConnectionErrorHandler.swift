// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore

/// Closes a connection at an error nobody handled. The last handler of its pipeline but ``InputClosedHandler``; on an
/// HTTP/2 stream ``HTTP2NotFoundHandler`` does the same.
///
/// Only the error's type is logged: its description may quote what the peer sent.
final class ConnectionErrorHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let logger: Logger

    /// Logs at debug level.
    init(logger: Logger) {
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        Self.close(context, at: error, logger)
    }

    /// Closes the channel, and logs at debug level why.
    static func close(_ context: ChannelHandlerContext, at error: any Error, _ logger: Logger) {
        logger.debug("connection closed at an error", metadata: ["auth.error": "\(type(of: error))"])
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension ConnectionErrorHandler: Sendable {}
