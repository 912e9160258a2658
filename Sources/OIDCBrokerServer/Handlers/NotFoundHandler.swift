// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers what the broker did not claim on an HTTP/2 stream by 404. A body that nobody reads ends the stream.
final class NotFoundHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// The body of the answer.
    static let text = "Nothing here.\n"

    private var head: HTTPRequest?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
        case .body(let bytes):
            guard bytes.readableBytes > 0 else { return }
            answer(context: context, isStreamClosed: true)
        case .end:
            answer(context: context, isStreamClosed: false)
        }
    }

    private func answer(context: ChannelHandlerContext, isStreamClosed: Bool) {
        guard let request = head else { return }
        head = nil
        var fields = HTTPFields()
        fields[.contentType] = "text/plain; charset=utf-8"
        fields[.contentLength] = "\(Self.text.utf8.count)"
        fields[.xContentTypeOptions] = "nosniff"
        context.write(
            wrapOutboundOut(.head(HTTPResponse(status: .notFound, headerFields: fields))), promise: nil)
        if request.method != .head {
            let body = context.channel.allocator.buffer(string: Self.text)
            context.write(wrapOutboundOut(.body(body)), promise: nil)
        }
        let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if isStreamClosed {
            written.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        }
    }
}

@available(*, unavailable)
extension NotFoundHandler: Sendable {}
