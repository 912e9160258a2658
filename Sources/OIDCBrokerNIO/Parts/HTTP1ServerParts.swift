// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore
package import NIOHTTP1

/// What is written on an HTTP/1 connection whose every answer is ours: heads stay as the broker made them, and a complete
/// response is one part.
package enum HTTP1ServerPart: Sendable {
    /// A head alone: an informational one, or one whose body follows.
    case head(HTTPResponse)
    /// Bytes of the body.
    case body(ByteBuffer)
    /// The end of the response.
    case end
    /// All of it at once. Only ``BrokerChannelHandler`` writes this.
    case whole(HTTPResponse, body: ByteBuffer?)
}

/// Pipelines of `HTTPServerRequestPart` and ``HTTP1ServerPart``: the standalone server's own. An embedding server has
/// ``HTTP1Parts``.
package enum HTTP1ServerParts: HTTPPartAdapter {
    /// Never added to a pipeline.
    private final class Unwrapper: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
    }

    /// On such a connection nothing else is ever read, whatever a peer sends: there are no upgrades.
    package static func requestPart(_ data: NIOAny) -> HTTPServerRequestPart? {
        Unwrapper.unwrapInboundIn(data)
    }

    package static func neutral(_ part: HTTPServerRequestPart) -> NeutralRequestPart<HTTPRequestHead> {
        HTTP1Parts.neutral(part)
    }

    package static func neutral(_ part: HTTP1ServerPart) -> NeutralResponsePart {
        switch part {
        case .head(let head):
            switch head.status.code {
            case 101: return .switchingProtocols
            case 100..<200: return .informationalHead
            default:
                return .head(status: head.status.code, announcesClose: head.headerFields[.connection] == "close")
            }
        case .body: return .body
        case .end, .whole: return .end
        }
    }

    package static func target(of head: HTTPRequestHead) -> RequestTarget {
        HTTP1Parts.target(of: head)
    }

    package static func isConnect(_ head: HTTPRequestHead) -> Bool {
        HTTP1Parts.isConnect(head)
    }

    package static func request(_ head: HTTPRequestHead, target: RequestTarget, isHTTP2: Bool) -> ReceivedRequest? {
        HTTP1Parts.request(head, target: target, isHTTP2: isHTTP2)
    }

    package static func head(_ response: HTTPResponse) -> HTTP1ServerPart {
        .head(response)
    }

    package static func body(_ bytes: ByteBuffer) -> HTTP1ServerPart {
        .body(bytes)
    }

    package static func end() -> HTTP1ServerPart {
        .end
    }

    package static func whole(_ response: HTTPResponse, body: ByteBuffer?) -> HTTP1ServerPart? {
        .whole(response, body: body)
    }
}
