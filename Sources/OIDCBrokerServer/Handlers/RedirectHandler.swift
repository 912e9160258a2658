// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerNIO

/// A channel handler that responds to the first request of a plain HTTP/1.1 connection by ``Redirection``, and closes the
/// connection. A body is not waited for.
final class RedirectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ServerResponsePart

    private let publicURL: PublicURL
    private let access: OtherRequestLog?
    private var hasResponded = false

    /// Creates a handler for one connection.
    /// - Parameter access: What writes a line about the request; `nil` for none.
    init(publicURL: PublicURL, access: OtherRequestLog? = nil) {
        self.publicURL = publicURL
        self.access = access
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), !hasResponded else { return }
        hasResponded = true
        let response = Redirection.response(method: head.method.rawValue, target: head.uri, to: publicURL)
        if let access {
            access.write(access.request(head, context), status: response.status.code, bytes: 0, context)
        }
        context.writeAndFlush(wrapOutboundOut(.whole(response, body: nil))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension RedirectHandler: Sendable {}
