// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP2
import OIDCBrokerHTTP
import OIDCBrokerNIO

/// A channel handler between an HTTP/2 stream and the broker. It reads requests from frames, refuses those with too
/// many or too long fields with 431 (RFC 6585 section 5), and writes responses.
///
/// It replaces the codec that serves any application. Here a response without a body is one frame, whose flag ends the
/// stream, instead of two; unused fields are not converted to HTTP fields; and the pipeline, which is created for every
/// request, has one handler less.
///
/// HTTP/2 bounds only the head as a whole; on HTTP/1 the decoder enforces all limits. Heads, trailers and lengths are
/// also validated here (RFC 9113 section 8), because NIO's own validation compares received values as text.
final class HTTP2StreamHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2RequestPart
    typealias OutboundIn = ServerResponsePart
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let maximumFields: Int
    private let maximumFieldBytes: Int
    private let streams: HTTP2StreamsHandler
    private let strictTransportSecurity: StrictTransportSecurity?
    private let date: ResponseDate?
    private let access: OtherRequestLog?
    private let responder: (any BrokerResponder)?
    private var hasHead = false
    private var isRefused = false
    /// The remaining number of bytes of the announced length.
    private var lengthLeft: Int?
    /// The slot of this stream in its connection while it waits for something; `nil` otherwise.
    private var slot: Int?
    private var isClosed = false
    /// The bytes for which the stream counts; 0 before it does.
    private var countedBytes = 0
    /// The number of bytes of a response that are not known to be read.
    private var unreadBytes = 0
    private var context: ChannelHandlerContext?

    /// Creates a handler that enforces the given limits.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - streams: The streams of the connection.
    ///   - strictTransportSecurity: The field that every final response gets.
    ///   - date: The field `Date` that every final response gets.
    ///   - access: What writes a line about a request that is refused here; `nil` for none.
    ///   - responder: Lets web pages read a refusal, if they may; `nil` if none may.
    init(
        limits: ListenerLimits, streams: HTTP2StreamsHandler, strictTransportSecurity: StrictTransportSecurity? = nil,
        date: ResponseDate? = nil, access: OtherRequestLog? = nil,
        responder: (any BrokerResponder)? = nil
    ) {
        self.responder = responder
        self.access = access
        self.streams = streams
        self.strictTransportSecurity = strictTransportSecurity
        self.date = date
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
        if countedBytes > 0 { streams.closed(countedBytes, unread: unreadBytes) }
        countedBytes = 0
        unreadBytes = 0
        guard let slot else { return }
        self.slot = nil
        streams.ended(slot)
    }

    /// Resets the stream, which has waited too long and is no longer tracked.
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
            // Received data is always a buffer; a file region is only ever written.
            guard case .byteBuffer(let bytes) = content.data else { return }
            receive(bytes, endsStream: content.endStream, context)
        default:
            // These frames concern the stream or the connection and are not a part of the request.
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

    /// Handles trailers, which are not used. Nothing may follow them.
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

    /// Ends a stream with a malformed request (RFC 9113 section 8.1.1). Too many of them end the connection.
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
            return refuse(context, head, block)
        }
        let bytes = HeldMemory.streamBytes + (block.endStream ? 0 : HeldMemory.headBytes)
        guard streams.admitStream(bytes) else { return calm(context, nil) }
        countedBytes = bytes
        if !block.endStream { lengthLeft = head.contentLength }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        // The broker's deadline for bodies has the same length and started earlier, so it fires first and gives the
        // reason.
        if slot == nil { wait(for: block.endStream ? .response : .request) }
        if block.endStream { context.fireChannelRead(wrapInboundOut(.end(nil))) }
    }

    private func refuse(
        _ context: ChannelHandlerContext, _ head: HTTP2RequestHead, _ block: HTTP2Frame.FramePayload.Headers
    ) {
        isRefused = true
        var refusal = BrokerResponse(
            head: HTTPResponse(status: .requestHeaderFieldsTooLarge, headerFields: [.contentLength: "0"]))
        let target = HTTP2ServerParts.target(of: head)
        if let responder, let request = HTTP2ServerParts.request(head, target: target, isHTTP2: true)?.request {
            refusal = responder.refusal(refusal, of: request)
        }
        let response = refusal.head
        if let access {
            access.write(access.request(head, context), status: response.status.code, bytes: 0, context)
        }
        context.writeAndFlush(headers(of: response, endsStream: true), promise: nil)
        // The remainder of the request is not needed, and the response is complete (RFC 9113 section 8.1).
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
            guard streams.admit(body.readableBytes) else { return calm(context, promise) }
            unreadBytes = body.readableBytes
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

    /// Resets the stream of a client that asks for more than it reads (RFC 9113 section 7, `ENHANCE_YOUR_CALM`).
    private func calm(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        isRefused = true
        context.writeAndFlush(wrapOutboundOut(.rstStream(.enhanceYourCalm)), promise: promise)
        streams.erred()
    }

    /// Passes a pause on to the connection, and resets the stream if the broker requests it, with an error code, which
    /// closing the channel would not allow.
    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        if let pause = event as? ReadPause {
            streams.pause(pause, promise)
            return
        }
        guard let event = event as? NIOHTTP2FramePayloadToHTTPEvent, let code = event.reset else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: promise)
    }

    private func headers(of response: HTTPResponse, endsStream: Bool) -> NIOAny {
        var headers = HPACKHeaders(response)
        if response.status.code >= 200 {
            strictTransportSecurity?.add(to: &headers)
            // Not indexed: it would replace the entries of the table that stay.
            if let date { headers.add(name: "date", value: date.value, indexing: .nonIndexable) }
        }
        return wrapOutboundOut(.headers(.init(headers: headers, endStream: endsStream)))
    }

    private func data(_ bytes: ByteBuffer, endsStream: Bool) -> NIOAny {
        wrapOutboundOut(.data(.init(data: .byteBuffer(bytes), endStream: endsStream)))
    }
}

@available(*, unavailable)
extension HTTP2StreamHandler: Sendable {}
