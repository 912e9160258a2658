// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// The server's own handler, which greets the visitor in response to the requests that the broker does not handle.
final class HelloHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let sessions: Sessions
    private var keepsConnection = true
    private var person: String?

    init(sessions: Sessions) { self.sessions = sessions }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let request):
            self.keepsConnection = request.isKeepAlive
            self.person = self.sessions.person(cookies: request.headers["cookie"])
        case .body:
            break
        case .end:
            self.greet(context)
        }
    }

    private func greet(_ context: ChannelHandlerContext) {
        let greeting = self.person.map { "Hello, \($0)!\n" } ?? "Hello, world! Sign in at /__/auth/login/site\n"
        let body = ByteBuffer(string: greeting)
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

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
