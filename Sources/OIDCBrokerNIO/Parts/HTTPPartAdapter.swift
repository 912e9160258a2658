// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore
package import NIOHTTP1
package import OIDCBroker

/// The HTTP types of one kind of pipeline, translated into what the broker speaks. There are two for users, ``HTTP1Parts`` and
/// ``HTTPTypesParts``, and to choose one is all that they do with it; the standalone server has two of its own.
package protocol HTTPPartAdapter {
    /// What comes in.
    associatedtype RequestPart: Sendable
    /// What goes out.
    associatedtype ResponsePart: Sendable
    /// The head inside of a `RequestPart`.
    associatedtype RequestHead: Sendable, Equatable

    /// Whether its pipelines are HTTP/2 streams, and such as take NIO's `NIOHTTP2FramePayloadToHTTPEvent`; `nil` where
    /// each pipeline has to be looked at.
    static var isHTTP2: Bool? { get }

    /// The part that was read; `nil` for anything else, which is passed on.
    static func requestPart(_ data: NIOAny) -> RequestPart?

    /// Which part of a request this is. The head stays as the pipeline has it: most are not the broker's and need no
    /// conversion.
    static func neutral(_ part: RequestPart) -> HTTPPart<RequestHead, ByteBuffer>

    /// Which part of a response this is.
    static func neutral(_ part: ResponsePart) -> NeutralResponsePart

    /// The request target; made for every request, so it copies nothing where it need not.
    static func target(of head: RequestHead) -> RequestTarget

    /// Whether the request asks for a tunnel (RFC 9110 section 9.3.6).
    static func isConnect(_ head: RequestHead) -> Bool

    /// Makes a request of the broker's, its body still empty, and its framing of a head.
    ///
    /// - Returns: `nil` if the method is not a token.
    static func request(
        _ head: RequestHead, target: RequestTarget, isHTTP2: Bool
    ) -> (request: BrokerRequest, framing: RequestFraming)?

    /// A response's head.
    static func head(_ response: HTTPResponse) -> ResponsePart

    /// A response's body.
    static func body(_ bytes: ByteBuffer) -> ResponsePart

    /// A response's end, without trailers.
    static func end() -> ResponsePart

    /// A complete response as one part; `nil` in pipelines that have none, as most.
    static func whole(_ response: HTTPResponse, body: ByteBuffer?) -> ResponsePart?
}

extension HTTPPartAdapter {
    /// Each pipeline is looked at.
    package static var isHTTP2: Bool? { nil }

    /// The part, if it is one.
    package static func requestPart(_ data: NIOAny) -> RequestPart? { data.part(as: RequestPart.self) }

    /// None.
    package static func whole(_ response: HTTPResponse, body: ByteBuffer?) -> ResponsePart? { nil }
}
