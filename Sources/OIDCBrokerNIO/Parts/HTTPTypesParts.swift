// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore
package import NIOHTTP1
package import NIOHTTPTypes
import OIDCBroker
package import OIDCBrokerHTTP

/// Pipelines of `HTTPRequestPart` and `HTTPResponsePart`: HTTP/2 streams with `HTTP2FramePayloadToHTTPServerCodec`, and
/// HTTP/1.1 connections with `HTTP1ToHTTPServerCodec`. Hummingbird uses both.
///
/// The HTTP/1.1 codec does not provide the version, so an HTTP/1.0 request is handled like an HTTP/1.1 one.
package enum HTTPTypesParts: HTTPPartAdapter {
    package static func neutral(_ part: HTTPRequestPart) -> HTTPPart<HTTPRequest, ByteBuffer> {
        switch part {
        case .head(let head): return .head(head)
        case .body(let bytes): return .body(bytes)
        case .end: return .end(nil)
        }
    }

    package static func neutral(_ part: HTTPResponsePart) -> NeutralResponsePart {
        switch part {
        case .head(let head):
            return NeutralResponsePart(
                status: head.status.code, announcesClose: self.saysClose(head.headerFields))
        case .body: return .body
        case .end: return .end
        }
    }

    package static func target(of head: HTTPRequest) -> RequestTarget {
        // The HTTP/1.1 codec has already reduced an absolute form; HTTP/2 has none.
        RequestTarget(path: head.path ?? "")
    }

    package static func isConnect(_ head: HTTPRequest) -> Bool {
        // An extended CONNECT (RFC 8441) is a tunnel within its stream and uses ordinary parts.
        head.method == .connect && head.extendedConnectProtocol == nil
    }

    package static func values(of name: String, in head: HTTPRequest) -> [String] {
        head.headerFields.filter { $0.name.canonicalName.hasBytes(of: name) }.map(\.value)
    }

    package static func request(_ head: HTTPRequest, target: RequestTarget, isHTTP2: Bool) -> (
        request: BrokerRequest, framing: RequestFraming
    )? {
        // The HTTP/1.1 codec converts the first `Host` to the authority and leaves any other one among the fields.
        let fields = head.headerFields.hosts
        let (authority, isUsable) =
            isHTTP2
            ? Authority.ofHTTP2(pseudoHeader: head.authority, hosts: fields)
            : Authority.ofHTTP1(
                target: nil, hosts: (head.authority.map { [$0] } ?? []) + fields, isHTTP10: false)
        var request = BrokerRequest(head: head)
        request.authority = authority
        request.headerFields.removeHosts()
        return (
            request,
            RequestFraming(
                of: request, isHTTP2: isHTTP2, keepsConnection: isHTTP2 || !self.saysClose(head.headerFields),
                hasUsableAuthority: isUsable)
        )
    }

    package static func head(_ response: HTTPResponse) -> HTTPResponsePart {
        .head(response)
    }

    package static func body(_ bytes: ByteBuffer) -> HTTPResponsePart {
        .body(bytes)
    }

    package static func end() -> HTTPResponsePart {
        .end(nil)
    }

    /// Whether `Connection` lists `close` (RFC 9110 section 7.6.1).
    private static func saysClose(_ fields: HTTPFields) -> Bool {
        guard let value = fields[.connection] else { return false }
        let members = value.utf8.split {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
        }
        return members.contains { Substring($0).isInAnyCase("close") }
    }
}
