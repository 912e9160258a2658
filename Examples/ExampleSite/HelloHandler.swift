// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import NIOHTTP1

/// The server's own handler, which greets the visitor in response to the requests that the broker does not handle: of an
/// HTTP/1.1 connection, or of an HTTP/2 stream.
public final class HelloHandler: ChannelInboundHandler {
    public typealias InboundIn = HTTPServerRequestPart
    public typealias OutboundOut = HTTPServerResponsePart

    private let sessions: Sessions
    private var keepsConnection = true
    private var greeting = ""

    /// Creates the handler of one connection or stream.
    public init(sessions: Sessions) { self.sessions = sessions }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let request):
            // A stream of HTTP/2 has one request, and its end is the end of the stream.
            self.keepsConnection = request.version.major > 1 || request.isKeepAlive
            self.greeting = self.sessions.greeting(cookies: request.headers["cookie"])
        case .body:
            break
        case .end:
            self.greet(context)
        }
    }

    private func greet(_ context: ChannelHandlerContext) {
        let body = ByteBuffer(string: self.greeting)
        // The codec of HTTP/2 leaves out `connection`.
        let headers: HTTPHeaders = [
            "content-type": "text/plain; charset=utf-8",
            "content-length": "\(body.readableBytes)",
            "connection": self.keepsConnection ? "keep-alive" : "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        context.write(self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        if !self.keepsConnection {
            written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        }
        context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: written)
    }

    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension HelloHandler: Sendable {}
