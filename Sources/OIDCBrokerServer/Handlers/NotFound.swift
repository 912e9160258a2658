// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import OIDCBrokerNIO

/// The answer to what the broker did not claim, on HTTP/1 connections and HTTP/2 streams.
enum NotFound {
    /// The body.
    static let text = "Nothing here.\n"

    /// The head.
    static let response = HTTPResponse(
        status: .notFound,
        headerFields: [
            .contentType: "text/plain; charset=utf-8",
            .contentLength: "\(text.utf8.count)",
            .xContentTypeOptions: "nosniff",
        ])

    /// Writes it.
    ///
    /// - Parameters:
    ///   - head: ``response``, or with what the connection has to say besides.
    ///   - isHead: Whether it answers a HEAD, and so has no body.
    ///   - then: What is done when it is out.
    static func write(
        _ head: HTTPResponse = response, isHead: Bool, to context: ChannelHandlerContext,
        then: ((ChannelHandlerContext) -> Void)? = nil
    ) {
        context.write(NIOAny(ServerResponsePart.head(head)), promise: nil)
        if !isHead {
            let body = context.channel.allocator.buffer(string: text)
            context.write(NIOAny(ServerResponsePart.body(body)), promise: nil)
        }
        guard let then else { return context.writeAndFlush(NIOAny(ServerResponsePart.end), promise: nil) }
        context.writeAndFlush(NIOAny(ServerResponsePart.end)).assumeIsolated().whenComplete { _ in then(context) }
    }
}
