// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOHTTPTypesHTTP2
import OIDCBrokerNIO

/// Everything between an HTTP/2 stream and the broker: reads requests out of frames, refuses one with too many or too
/// long fields by 431 (RFC 6585 section 5), and writes responses.
///
/// It takes the place of the codec that serves any application. Here a response that has no body is one frame, whose flag
/// ends the stream, instead of two; fields that nobody reads do not become HTTP fields; and one handler less stands in
/// the pipeline, which is made for every request.
///
/// HTTP/2 itself only bounds the head as a whole; on HTTP/1 the decoder does all of it.
final class HTTP2StreamHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2RequestPart
    typealias OutboundIn = ServerResponsePart
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let maximumFields: Int
    private let maximumFieldBytes: Int
    private var hasHead = false
    private var isRefused = false

    /// Refuses what is beyond these limits.
    init(limits: ListenerLimits) {
        maximumFields = limits.maximumFields
        maximumFieldBytes = limits.maximumFieldBytes
    }

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .headers(let block):
            if hasHead {
                // Trailers, which are of no use here; nothing comes behind them.
                context.fireChannelRead(wrapInboundOut(.end))
            } else {
                receive(block, context)
            }
        case .data(let content):
            // Off a socket there is nothing but buffers; a file region is only ever written.
            guard case .byteBuffer(let bytes) = content.data else { return }
            if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(bytes))) }
            if content.endStream { context.fireChannelRead(wrapInboundOut(.end)) }
        default:
            // The stream's and the connection's own; none is part of a request.
            break
        }
    }

    private func receive(_ block: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) {
        hasHead = true
        do {
            let head = try HTTP2RequestHead(block.headers, endsStream: block.endStream)
            guard head.fieldCount <= maximumFields, head.longestField <= maximumFieldBytes else {
                return refuse(context, block)
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
            if block.endStream { context.fireChannelRead(wrapInboundOut(.end)) }
        } catch {
            isRefused = true
            context.fireErrorCaught(error)
        }
    }

    private func refuse(_ context: ChannelHandlerContext, _ block: HTTP2Frame.FramePayload.Headers) {
        isRefused = true
        let response = HTTPResponse(status: .requestHeaderFieldsTooLarge, headerFields: [.contentLength: "0"])
        context.writeAndFlush(headers(of: response, endsStream: true), promise: nil)
        // RFC 9113 section 8.1: what the client still sends is of no use, and nothing is wrong with the answer.
        if !block.endStream { context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: nil) }
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .whole(let response, body: let body):
            guard let body else {
                return context.write(headers(of: response, endsStream: true), promise: promise)
            }
            context.write(headers(of: response, endsStream: false), promise: nil)
            context.write(self.data(body, endsStream: true), promise: promise)
        case .head(let response):
            context.write(headers(of: response, endsStream: false), promise: promise)
        case .body(let bytes):
            context.write(self.data(bytes, endsStream: false), promise: promise)
        case .end:
            context.write(self.data(ByteBuffer(), endsStream: true), promise: promise)
        }
    }

    /// Resets the stream where the broker asks for it: with a code, which closing the channel does not let one choose.
    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let event = event as? NIOHTTP2FramePayloadToHTTPEvent, let code = event.reset else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: promise)
    }

    private func headers(of response: HTTPResponse, endsStream: Bool) -> NIOAny {
        wrapOutboundOut(.headers(.init(headers: HPACKHeaders(response), endStream: endsStream)))
    }

    private func data(_ bytes: ByteBuffer, endsStream: Bool) -> NIOAny {
        wrapOutboundOut(.data(.init(data: .byteBuffer(bytes), endStream: endsStream)))
    }
}

@available(*, unavailable)
extension HTTP2StreamHandler: Sendable {}
