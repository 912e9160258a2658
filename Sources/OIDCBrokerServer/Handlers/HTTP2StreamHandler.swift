// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP1
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
/// HTTP/2 itself only bounds the head as a whole; on HTTP/1 the decoder does all of it. Whether heads, trailers and lengths
/// are as RFC 9113 section 8 says is validated here too, since NIO's own validation compares as text what a stranger sent.
final class HTTP2StreamHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2RequestPart
    typealias OutboundIn = ServerResponsePart
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let maximumFields: Int
    private let maximumFieldBytes: Int
    private let streams: HTTP2StreamsHandler
    private var hasHead = false
    private var isRefused = false
    /// What is left of the length that the head told.
    private var lengthLeft: Int?
    /// This stream among those of its connection, while it waits for something.
    private var slot: Int?
    private var isClosed = false
    private var context: ChannelHandlerContext?

    /// Refuses what is beyond these limits.
    ///
    /// - Parameter streams: Of the stream's connection.
    init(limits: ListenerLimits, streams: HTTP2StreamsHandler) {
        self.streams = streams
        maximumFields = limits.maximumFields
        maximumFieldBytes = limits.maximumFieldBytes
    }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        isClosed = true
        guard let slot else { return }
        self.slot = nil
        streams.ended(slot)
    }

    /// Ends the stream, which has waited too long and is known of no more.
    func reset(_ code: NIOHTTP2.HTTP2ErrorCode) {
        slot = nil
        isClosed = true
        isRefused = true
        context?.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: nil)
    }

    private func wait(for next: StreamDeadlines.Wait) {
        if let slot {
            streams.proceeded(slot, to: next)
        } else if !isClosed {
            slot = streams.began(self, next)
        }
    }

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .headers(let block):
            streams.progressed()
            if hasHead {
                receive(trailers: block.headers, context)
            } else {
                receive(block, context)
            }
        case .data(let content):
            // Off a socket there is nothing but buffers; a file region is only ever written.
            guard case .byteBuffer(let bytes) = content.data else { return }
            receive(bytes, endsStream: content.endStream, context)
        default:
            // The stream's and the connection's own; none is part of a request.
            break
        }
    }

    private func receive(_ bytes: ByteBuffer, endsStream: Bool, _ context: ChannelHandlerContext) {
        let count = bytes.readableBytes
        if count > 0 || endsStream { streams.progressed() }
        if let left = lengthLeft {
            guard endsStream ? count == left : count <= left else { return refuse(context, .lengthUnusable) }
            lengthLeft = left - count
        }
        if count > 0 { context.fireChannelRead(wrapInboundOut(.body(bytes))) }
        if endsStream { receiveEnd(context) }
    }

    /// Trailers are of no use here; nothing comes behind them.
    private func receive(trailers: HPACKHeaders, _ context: ChannelHandlerContext) {
        do throws(HTTP2RequestHead.Malformation) {
            try HTTP2RequestHead.validate(trailers: trailers)
        } catch {
            return refuse(context, error)
        }
        guard lengthLeft ?? 0 == 0 else { return refuse(context, .lengthUnusable) }
        receiveEnd(context)
    }

    private func receiveEnd(_ context: ChannelHandlerContext) {
        wait(for: .response)
        context.fireChannelRead(wrapInboundOut(.end(nil)))
    }

    /// What is not HTTP ends its stream (RFC 9113 section 8.1.1), and too many of them the connection.
    private func refuse(_ context: ChannelHandlerContext, _ malformation: HTTP2RequestHead.Malformation) {
        isRefused = true
        context.writeAndFlush(wrapOutboundOut(.rstStream(.protocolError)), promise: nil)
        context.fireErrorCaught(malformation)
        streams.erred()
    }

    private func receive(_ block: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) {
        hasHead = true
        let head: HTTP2RequestHead
        do throws(HTTP2RequestHead.Malformation) {
            head = try HTTP2RequestHead(block.headers, endsStream: block.endStream)
        } catch {
            return refuse(context, error)
        }
        guard head.fieldCount <= maximumFields, head.longestField <= maximumFieldBytes else {
            return refuse(context, block)
        }
        if !block.endStream { lengthLeft = head.contentLength }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        // Behind the broker, whose deadline for bodies has as long, and so comes first: it says why.
        if slot == nil { wait(for: block.endStream ? .response : .request) }
        if block.endStream { context.fireChannelRead(wrapInboundOut(.end(nil))) }
    }

    private func refuse(_ context: ChannelHandlerContext, _ block: HTTP2Frame.FramePayload.Headers) {
        isRefused = true
        let response = HTTPResponse(status: .requestHeaderFieldsTooLarge, headerFields: [.contentLength: "0"])
        context.writeAndFlush(headers(of: response, endsStream: true), promise: nil)
        // RFC 9113 section 8.1: what the client still sends is of no use, and nothing is wrong with the response.
        if !block.endStream { context.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: nil) }
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .whole(let response, body: let body):
            wait(for: .delivery)
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
            wait(for: .delivery)
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
