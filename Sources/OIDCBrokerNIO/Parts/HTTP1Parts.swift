// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore
package import NIOHTTP1
import NIOHTTPTypesHTTP1
import OIDCBroker
package import OIDCBrokerHTTP

/// Pipelines of `HTTPServerRequestPart` and `HTTPServerResponsePart`: those of `configureHTTPServerPipeline`, and
/// HTTP/2 streams with `HTTP2FramePayloadToHTTP1ServerCodec`.
package enum HTTP1Parts: HTTPPartAdapter {
    package static func neutral(_ part: HTTPServerRequestPart) -> HTTPServerRequestPart { part }

    package static func neutral(_ part: HTTPServerResponsePart) -> NeutralResponsePart {
        switch part {
        case .head(let head):
            let isHTTP2 = head.version.major >= 2
            return NeutralResponsePart(
                status: Int(head.status.code), announcesClose: !isHTTP2 && !head.isKeepAlive)
        case .body: return .body
        case .end: return .end
        }
    }

    package static func target(of head: HTTPRequestHead) -> RequestTarget {
        RequestTarget(requestLine: head.uri)
    }

    package static func isConnect(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT
    }

    package static func values(of name: String, in head: HTTPRequestHead) -> [String] {
        head.headers[name]
    }

    package static func request(_ head: HTTPRequestHead, target: RequestTarget, isHTTP2: Bool) -> (
        request: BrokerRequest, framing: RequestFraming
    )? {
        guard let method = try? HTTPRequest.Method(head.method) else { return nil }
        let isHTTP2 = isHTTP2 || head.version.major >= 2
        let isHTTP10 = !isHTTP2 && (head.version.major, head.version.minor) < (1, 1)
        let hosts = head.headers["host"]
        // On an HTTP/2 stream, the HTTP/1 codec converts `:authority` to the first `Host`.
        let (authority, isUsable) =
            isHTTP2
            ? Authority.ofHTTP2(pseudoHeader: hosts.first, hosts: Array(hosts.dropFirst()))
            : Authority.ofHTTP1(target: target.authority, hosts: hosts, isHTTP10: isHTTP10)
        let request = BrokerRequest(
            method: method, authority: authority, path: target.path,
            headerFields: HTTPFields(readByBroker: head.headers))
        return (
            request,
            RequestFraming(
                of: request, isHTTP2: isHTTP2, isHTTP10: isHTTP10, keepsConnection: head.isKeepAlive,
                hasUsableAuthority: isUsable)
        )
    }

    package static func head(_ response: HTTPResponse) -> HTTPServerResponsePart {
        .head(HTTPResponseHead(response))
    }

    package static func body(_ bytes: ByteBuffer) -> HTTPServerResponsePart {
        .body(.byteBuffer(bytes))
    }

    package static func end() -> HTTPServerResponsePart {
        .end(nil)
    }
}
