// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOHTTP1
package import OIDCBrokerHTTP

/// The HTTP/1 connections of the standalone server: pipelines of `HTTPServerRequestPart` and ``ServerResponsePart``.
package enum HTTP1ServerParts: ServerParts {
    /// A handler that only unwraps parts and is never added to a pipeline.
    private final class Unwrapper: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
    }

    package static var isHTTP2: Bool? { false }

    /// Unwraps a part. Such a connection never reads anything else, whatever the peer sends, since there are no
    /// upgrades.
    package static func requestPart(_ data: NIOAny) -> HTTPServerRequestPart? {
        Unwrapper.unwrapInboundIn(data)
    }

    package static func neutral(_ part: HTTPServerRequestPart) -> HTTPServerRequestPart { part }

    package static func target(of head: HTTPRequestHead) -> RequestTarget {
        HTTP1Parts.target(of: head)
    }

    package static func isConnect(_ head: HTTPRequestHead) -> Bool {
        HTTP1Parts.isConnect(head)
    }

    package static func values(of name: String, in head: HTTPRequestHead) -> [String] {
        HTTP1Parts.values(of: name, in: head)
    }

    package static func request(_ head: HTTPRequestHead, target: RequestTarget, isHTTP2: Bool) -> (
        request: BrokerRequest, framing: RequestFraming
    )? {
        HTTP1Parts.request(head, target: target, isHTTP2: isHTTP2)
    }
}
