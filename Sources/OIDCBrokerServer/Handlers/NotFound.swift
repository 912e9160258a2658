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
    ///   - isLast: Whether the channel closes behind it.
    static func write(
        _ head: HTTPResponse = response, isHead: Bool, isLast: Bool, to context: ChannelHandlerContext
    ) {
        context.write(NIOAny(ServerResponsePart.head(head)), promise: nil)
        if !isHead {
            let body = context.channel.allocator.buffer(string: text)
            context.write(NIOAny(ServerResponsePart.body(body)), promise: nil)
        }
        let written = context.writeAndFlush(NIOAny(ServerResponsePart.end))
        if isLast { written.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
    }
}
