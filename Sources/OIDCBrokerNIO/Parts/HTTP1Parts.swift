// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import NIOCore
public import NIOHTTP1
import NIOHTTPTypesHTTP1
import OIDCBroker

/// Pipelines of `HTTPServerRequestPart` and `HTTPServerResponsePart`: what `configureHTTPServerPipeline` makes, and
/// HTTP/2 streams behind `HTTP2FramePayloadToHTTP1ServerCodec`.
public enum HTTP1Parts: HTTPPartAdapter {
    public static func neutral(_ part: HTTPServerRequestPart) -> NeutralRequestPart<HTTPRequestHead> {
        switch part {
        case .head(let head): return .head(head)
        case .body(let bytes): return .body(bytes)
        case .end: return .end
        }
    }

    public static func neutral(_ part: HTTPServerResponsePart) -> NeutralResponsePart {
        switch part {
        case .head(let head):
            let isHTTP2 = head.version.major >= 2
            return NeutralResponsePart(
                status: Int(head.status.code), announcesClose: !isHTTP2 && !head.isKeepAlive)
        case .body: return .body
        case .end: return .end
        }
    }

    public static func target(of head: HTTPRequestHead) -> RequestTarget {
        RequestTarget(requestLine: head.uri)
    }

    public static func isConnect(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT
    }

    public static func request(_ head: HTTPRequestHead, target: RequestTarget, isHTTP2: Bool) -> ReceivedRequest? {
        guard let method = try? HTTPRequest.Method(head.method) else { return nil }
        let isHTTP2 = isHTTP2 || head.version.major >= 2
        let isHTTP10 = !isHTTP2 && (head.version.major, head.version.minor) < (1, 1)
        let hosts = head.headers["host"]
        // The HTTP/1 codec of an HTTP/2 stream gives `:authority` as a first `Host`.
        let (authority, isUsable) =
            isHTTP2
            ? Authority.ofHTTP2(pseudoHeader: hosts.first, hosts: Array(hosts.dropFirst()))
            : Authority.ofHTTP1(target: target.authority, hosts: hosts, isHTTP10: isHTTP10)
        return ReceivedRequest(
            head: BrokerRequestHead(
                method: method, authority: authority, path: target.path,
                headerFields: HTTPFields(readByBroker: head.headers)),
            isHTTP2: isHTTP2,
            isHTTP10: isHTTP10,
            keepsConnection: head.isKeepAlive,
            hasUsableAuthority: isUsable
        )
    }

    public static func head(_ response: HTTPResponse) -> HTTPServerResponsePart {
        .head(HTTPResponseHead(response))
    }

    public static func body(_ bytes: ByteBuffer) -> HTTPServerResponsePart {
        .body(.byteBuffer(bytes))
    }

    public static func end() -> HTTPServerResponsePart {
        .end(nil)
    }
}
