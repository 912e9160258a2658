// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import NIOCore
import NIOHPACK
package import NIOHTTP1
import OIDCBroker
package import OIDCBrokerHTTP

/// A part of a request on one of the standalone server's HTTP/2 streams.
package typealias HTTP2RequestPart = HTTPPart<HTTP2RequestHead, ByteBuffer>

/// The HTTP/2 streams of the standalone server: pipelines of ``HTTP2RequestPart`` and ``ServerResponsePart``.
package enum HTTP2ServerParts: ServerParts {
    /// A handler that only unwraps parts and is never added to a pipeline.
    private final class Unwrapper: ChannelInboundHandler {
        typealias InboundIn = HTTP2RequestPart
    }

    package static var isHTTP2: Bool? { true }

    /// Unwraps a part. Such a stream never reads anything else, whatever the peer sends, since there are no upgrades.
    package static func requestPart(_ data: NIOAny) -> HTTP2RequestPart? {
        Unwrapper.unwrapInboundIn(data)
    }

    package static func neutral(_ part: HTTP2RequestPart) -> HTTP2RequestPart { part }

    package static func target(of head: HTTP2RequestHead) -> RequestTarget {
        RequestTarget(path: head.path ?? "")
    }

    package static func isConnect(_ head: HTTP2RequestHead) -> Bool {
        // An extended CONNECT (RFC 8441) does not occur: a head that contains one is refused.
        head.method == .connect
    }

    package static func values(of name: String, in head: HTTP2RequestHead) -> [String] {
        var values: [String] = []
        for (other, value, _) in head.fields where other.hasBytes(of: name) { values.append(value) }
        return values
    }

    package static func request(
        _ head: HTTP2RequestHead, target: RequestTarget, isHTTP2: Bool
    ) -> (request: BrokerRequest, framing: RequestFraming)? {
        var fields = HTTPFields()
        var hosts: [String] = []
        for (name, value, _) in head.fields {
            if name.isExactly("host") {
                hosts.append(value)
            } else {
                fields.append(readByBroker: name, value)
            }
        }
        let (authority, isUsable) = Authority.ofHTTP2(pseudoHeader: head.authority, hosts: hosts)
        let request = BrokerRequest(
            method: head.method, authority: authority, path: target.path, headerFields: fields)
        return (
            request,
            RequestFraming(
                of: request, isHTTP2: true, keepsConnection: true, hasUsableAuthority: isUsable,
                endsWithHead: head.endsStream)
        )
    }
}
