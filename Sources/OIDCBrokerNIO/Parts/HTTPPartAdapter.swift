// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore
package import NIOHTTP1
import OIDCBroker
package import OIDCBrokerHTTP

/// An adapter that translates the HTTP types of one kind of pipeline into those of the broker. ``HTTPPartKind`` names the
/// two of embedding servers; the standalone server has two adapters of its own.
package protocol HTTPPartAdapter {
    /// The type of inbound parts.
    associatedtype RequestPart: Sendable
    /// The type of outbound parts.
    associatedtype ResponsePart: Sendable
    /// The type of the head in a `RequestPart`.
    associatedtype RequestHead: Sendable, Equatable

    /// Whether the pipelines are HTTP/2 streams that support NIO's `NIOHTTP2FramePayloadToHTTPEvent`; `nil` if each
    /// pipeline has to be inspected.
    static var isHTTP2: Bool? { get }

    /// Returns the part that was read; `nil` for any other value, which is forwarded.
    static func requestPart(_ data: NIOAny) -> RequestPart?

    /// Returns the kind of a request part. The head keeps the type of the pipeline, since most requests are not the
    /// broker's and need no conversion.
    static func neutral(_ part: RequestPart) -> HTTPPart<RequestHead, ByteBuffer>

    /// Returns the kind of a response part.
    static func neutral(_ part: ResponsePart) -> NeutralResponsePart

    /// Returns the request target. This is called for every request, so it avoids copies.
    static func target(of head: RequestHead) -> RequestTarget

    /// Returns whether the request asks for a tunnel (RFC 9110 section 9.3.6).
    static func isConnect(_ head: RequestHead) -> Bool

    /// Returns the values of all lines of a field, in the order in which they were received.
    ///
    /// - Parameter name: The name in lower case, whose field ``request(_:target:isHTTP2:)`` may leave out.
    static func values(of name: String, in head: RequestHead) -> [String]

    /// Translates the head of one of the broker's requests, whose body is still empty, and says what its framing is.
    ///
    /// - Returns: `nil` if the method is not a token.
    static func request(
        _ head: RequestHead, target: RequestTarget, isHTTP2: Bool
    ) -> (request: BrokerRequest, framing: RequestFraming)?

    /// Returns the part with a response's head.
    static func head(_ response: HTTPResponse) -> ResponsePart

    /// Returns the part with a response's body.
    static func body(_ bytes: ByteBuffer) -> ResponsePart

    /// Returns the part with a response's end, without trailers.
    static func end() -> ResponsePart

    /// Returns a complete response as one part; `nil` if the pipeline does not support that, as most do not.
    static func whole(_ response: HTTPResponse, body: ByteBuffer?) -> ResponsePart?
}

extension HTTPPartAdapter {
    /// `nil`: each pipeline is inspected.
    package static var isHTTP2: Bool? { nil }

    /// Returns the part that was read; `nil` for any other value.
    package static func requestPart(_ data: NIOAny) -> RequestPart? { data.part(as: RequestPart.self) }

    /// `nil`: complete responses are not supported.
    package static func whole(_ response: HTTPResponse, body: ByteBuffer?) -> ResponsePart? { nil }
}
