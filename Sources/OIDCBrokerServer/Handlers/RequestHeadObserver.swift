// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Tells ``RequestHeadDeadlineHandler`` what the HTTP/1 decoder found; stands right behind the decoder.
final class RequestHeadObserver: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let deadline: RequestHeadDeadlineHandler

    /// Tells this handler, of the same connection.
    init(deadline: RequestHeadDeadlineHandler) {
        self.deadline = deadline
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: deadline.headParsed()
        case .body: break
        case .end: deadline.requestEnded()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { deadline.responseEnded() }
        context.write(data, promise: promise)
    }
}

@available(*, unavailable)
extension RequestHeadObserver: Sendable {}
