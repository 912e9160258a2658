// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Answers what the broker did not claim on an HTTP/1 connection by 404.
///
/// A request with a body is answered at once and its connection closed, so that nobody keeps one busy with a body that
/// nobody reads.
final class HTTP1NotFoundHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var head: HTTPRequestHead?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if Self.hasBody(head) {
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
            || head.headers["content-length"].contains { $0 != "0" }
    }

    private func answer(_ request: HTTPRequestHead, context: ChannelHandlerContext, isLast: Bool) {
        let text = NotFoundHandler.text
        var headers = HTTPHeaders([
            ("content-type", "text/plain; charset=utf-8"),
            ("content-length", "\(text.utf8.count)"),
            ("x-content-type-options", "nosniff"),
        ])
        if isLast { headers.add(name: "connection", value: "close") }
        let response = HTTPResponseHead(version: .http1_1, status: .notFound, headers: headers)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        if request.method != .HEAD {
            let body = context.channel.allocator.buffer(string: text)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if isLast {
            written.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        }
    }
}

@available(*, unavailable)
extension HTTP1NotFoundHandler: Sendable {}
