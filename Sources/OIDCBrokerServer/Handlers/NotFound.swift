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

    /// Writes it to an HTTP/1 connection: in parts, whose head tells the broker where the connection closes behind it.
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
        finish(.end, to: context, then: then)
    }

    /// Writes it to an HTTP/2 stream, as one part: with a body two frames, else one.
    ///
    /// - Parameters:
    ///   - isHead: Whether it answers a HEAD, and so has no body.
    ///   - then: What is done when it is out.
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
