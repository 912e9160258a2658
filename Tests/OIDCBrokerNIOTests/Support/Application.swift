// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// The application behind the broker on HTTP/1, which records what it receives and responds to each request with its
/// target, at once or when told.
final class Application: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    let log: Log
    /// Answers each request when its end is there.
    var answersAtOnce: Bool
    /// Closes when the client has closed its side, as many servers do.
    var closesOnInputClosed = false
    private(set) var context: ChannelHandlerContext?
    private var waiting: [HTTPRequestHead] = []
    private var current: HTTPRequestHead?

    init(log: Log, answersAtOnce: Bool = true) {
        self.log = log
        self.answersAtOnce = answersAtOnce
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.current = head
            self.log.append("head \(head.method) \(head.uri) \(head.version) \(head.headers)")
        case .body(let bytes):
            self.log.append("body \(String(buffer: bytes))")
        case .end(let trailers):
            self.log.append("end \(trailers.map { "\($0)" } ?? "")")
            guard let head = self.current else { return }
            self.waiting.append(head)
            if self.answersAtOnce { self.answer() }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        self.log.append("readComplete")
        context.flush()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: self.log.append("quiesce")
        case ChannelEvent.inputClosed as ChannelEvent:
            self.log.append("inputClosed")
            if self.closesOnInputClosed { context.close(promise: nil) }
        case is HTTPServerUpgradeEvents: self.log.append("upgraded")
        default: self.log.append("event \(event)")
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.log.append("error \(error)")
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.log.append("inactive")
    }

    /// Answers the oldest request that has no response.
    func answer(closes: Bool = false, status: HTTPResponseStatus = .ok) {
        guard let context = self.context, !self.waiting.isEmpty else { return }
        let request = self.waiting.removeFirst()
        self.answer(to: request, closes: closes, status: status, context)
        context.eventLoop.endTurn()
    }

    private func answer(
        to request: HTTPRequestHead, closes: Bool, status: HTTPResponseStatus, _ context: ChannelHandlerContext
    ) {
        let body = ByteBuffer(string: "app \(request.uri)")
        var headers: HTTPHeaders = ["content-length": "\(body.readableBytes)"]
        if closes { headers.add(name: "connection", value: "close") }
        context.write(
            self.wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
            promise: nil)
        context.write(self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Writes parts as they are.
    func write(_ parts: HTTPServerResponsePart...) {
        for part in parts { self.context?.writeAndFlush(self.wrapOutboundOut(part), promise: nil) }
        self.context?.eventLoop.endTurn()
    }
}
