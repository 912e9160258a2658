// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import OIDCBrokerNIO

/// A channel handler that responds with 404 to the requests on an HTTP/1 connection that the broker does not handle.
///
/// A request with a body gets its response at once and its connection is closed, so that a client cannot occupy a
/// connection with a body that is not read. The same applies to a request for another protocol, after which NIO's
/// decoder would only buffer what it receives.
final class HTTP1NotFoundHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ServerResponsePart

    private var head: HTTPRequestHead?
    private let access: OtherRequestLog?
    private var request: OtherRequestLog.Request?

    /// - Parameter access: What writes a line about each request; `nil` for none.
    init(access: OtherRequestLog? = nil) {
        self.access = access
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = access?.request(head, context)
            if Self.hasBody(head) || Self.asksForUpgrade(head) {
                answer(head, context: context, isLast: true)
            } else {
                self.head = head
            }
        case .body:
            break
        case .end:
            guard let head else { return }
            self.head = nil
            answer(head, context: context, isLast: !head.isKeepAlive)
        }
    }

    private static func hasBody(_ head: HTTPRequestHead) -> Bool {
        head.headers.contains(name: "transfer-encoding")
            || head.headers["content-length"].contains { !$0.utf8.elementsEqual("0".utf8) }
    }

    private static func asksForUpgrade(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT || head.headers.contains(name: "upgrade")
    }

    private func answer(_ request: HTTPRequestHead, context: ChannelHandlerContext, isLast: Bool) {
        var response = NotFound.response
        if isLast { response.headerFields[.connection] = "close" }
        if let known = self.request {
            self.request = nil
            let bytes = request.method == .HEAD ? 0 : NotFound.text.utf8.count
            access?.write(known, status: response.status.code, bytes: bytes, context)
        }
        NotFound.write(
            response, isHead: request.method == .HEAD, to: context,
            then: isLast ? { $0.close(promise: nil) } : nil)
    }
}

@available(*, unavailable)
extension HTTP1NotFoundHandler: Sendable {}
