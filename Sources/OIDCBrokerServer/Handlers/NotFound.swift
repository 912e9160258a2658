// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import OIDCBrokerNIO

/// The response to requests that the broker does not handle, on HTTP/1 connections and HTTP/2 streams.
enum NotFound {
    /// The body.
    static let text = "This is a sign-in server, and nothing is at this address. Go back to the app or website.\n"

    /// The head.
    static let response = HTTPResponse(
        status: .notFound,
        headerFields: [
            .contentType: "text/plain; charset=utf-8",
            .contentLength: "\(text.utf8.count)",
            .xContentTypeOptions: "nosniff",
        ])

    /// Writes the response to an HTTP/1 connection, in parts, so that the broker's handler sees in the head whether the
    /// connection closes.
    ///
    /// - Parameters:
    ///   - head: ``response``, possibly with additional fields.
    ///   - isHead: Whether the request is a HEAD request, whose response has no body.
    ///   - then: A closure that is called after the response is written.
    static func write(
        _ head: HTTPResponse = response, isHead: Bool, to context: ChannelHandlerContext,
        then: ((ChannelHandlerContext) -> Void)? = nil
    ) {
        context.write(NIOAny(ServerResponsePart.head(head)), promise: nil)
        if !isHead {
            let body = context.channel.allocator.buffer(string: text)
            context.write(NIOAny(ServerResponsePart.body(body)), promise: nil)
        }
        finish(.end, to: context, then: then)
    }

    /// Writes the response to an HTTP/2 stream as one part: two frames if it has a body, otherwise one.
    ///
    /// - Parameters:
    ///   - isHead: Whether the request is a HEAD request, whose response has no body.
    ///   - then: A closure that is called after the response is written.
    static func writeWhole(
        isHead: Bool, to context: ChannelHandlerContext, then: ((ChannelHandlerContext) -> Void)? = nil
    ) {
        let body = isHead ? nil : context.channel.allocator.buffer(string: text)
        finish(.whole(response, body: body), to: context, then: then)
    }

    private static func finish(
        _ part: ServerResponsePart, to context: ChannelHandlerContext, then: ((ChannelHandlerContext) -> Void)?
    ) {
        guard let then else { return context.writeAndFlush(NIOAny(part), promise: nil) }
        context.writeAndFlush(NIOAny(part)).assumeIsolated().whenComplete { _ in then(context) }
    }
}
