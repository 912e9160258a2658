// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
import NIOHTTP1
import OIDCBrokerHTTP
import OIDCBrokerNIO

/// A channel handler between the HTTP/1 decoder and the broker. It writes responses, responds with 400 to input that is
/// not HTTP, drains the connection, and notifies ``RequestHeadDeadlineHandler`` of heads. Add it directly after the
/// decoder.
///
/// It replaces NIO's encoder, header validator, pipelining handler and error handler, which serve any application. Here
/// the broker's handler keeps the order of responses and writes each of them without interruption, so that a response
/// is one buffer and one write.
final class HTTP1ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = ServerResponsePart
    typealias OutboundOut = IOData

    /// The maximum length of a body that is copied to the buffer of its head.
    private static let maximumCopy = 65_536

    private let deadline: RequestHeadDeadlineHandler
    private let idle: SilentConnectionHandler
    private let strictTransportSecurity: StrictTransportSecurity?
    private let date: ResponseDate?
    private let access: OtherRequestLog?
    private let held: HeldConnection?
    private(set) var machine = HTTP1ConnectionStateMachine()
    /// The largest number of bytes written for a response in one piece.
    private var largestResponse = 512
    /// An error after requests that must get their responses first.
    private var heldError: HTTPParserError?

    /// - Parameters:
    ///   - deadline: Of the same connection.
    ///   - idle: Of the same connection.
    ///   - strictTransportSecurity: The field that every final response gets.
    ///   - date: The field `Date` that every final response gets.
    ///   - access: What writes a line about input that is not HTTP; `nil` for none.
    ///   - held: What knows whether requests are under way; `nil` where nothing does.
    init(
        deadline: RequestHeadDeadlineHandler, idle: SilentConnectionHandler,
        strictTransportSecurity: StrictTransportSecurity? = nil, date: ResponseDate? = nil,
        access: OtherRequestLog? = nil,
        held: HeldConnection? = nil
    ) {
        self.held = held
        self.access = access
        self.deadline = deadline
        self.idle = idle
        self.strictTransportSecurity = strictTransportSecurity
        self.date = date
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline.connection = self
    }

    /// The first bytes of a head arrived. The parser has made no part of them yet.
    func headBegan() { idle.progressed() }

    /// The connection is being closed on the socket's side. With TLS that may take seconds, in which more bytes may arrive.
    func stopReading() { machine.close() }

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        idle.progressed()
        let action: HTTP1ConnectionStateMachine.PartAction
        switch unwrapInboundIn(data) {
        case .head:
            action = machine.headRead()
            if action == .forward {
                deadline.disarm()
                held?.requestBegan()
            }
        case .body:
            action = machine.bodyRead()
        case .end:
            action = machine.endRead()
        }
        guard action == .forward else { return }
        context.fireChannelRead(data)
        if machine.isDrained { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        if machine.quiesce() { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let parserError = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        let action = machine.parserErrorCaught()
        if action == .hold {
            heldError = parserError
        } else {
            end(context, at: parserError, action)
        }
    }

    /// Responds that the input is not HTTP, if there is a place for that. The error is then forwarded and closes the
    /// connection.
    private func end(
        _ context: ChannelHandlerContext, at error: HTTPParserError, _ action: HTTP1ConnectionStateMachine.ErrorAction
    ) {
        if action == .refuse {
            let fields: HTTPFields = [.connection: "close", .contentLength: "0"]
            let response = HTTPResponse(status: .badRequest, headerFields: fields)
            access?.writeMalformed(status: response.status.code, context)
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(encode(response, nil, context))), promise: nil)
        }
        context.fireErrorCaught(error)
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .whole(var response, let body):
            begin(&response, isWhole: true)
            guard let body, body.readableBytes > Self.maximumCopy else {
                return end(context, with: encode(response, body, context), promise)
            }
            context.write(wrapOutboundOut(.byteBuffer(encode(response, nil, context))), promise: nil)
            end(context, with: body, promise)
        case .head(var response):
            begin(&response, isWhole: false)
            context.write(wrapOutboundOut(.byteBuffer(encode(response, nil, context))), promise: promise)
        case .body(let bytes):
            context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
        case .end:
            end(context, with: ByteBuffer(), promise)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .all {
            machine.close()
            deadline.disarm()
        }
        context.close(mode: mode, promise: promise)
    }

    /// Announces the close in the last response of a draining connection (RFC 9112 section 9.6).
    private func begin(_ response: inout HTTPResponse, isWhole: Bool) {
        guard response.status.code >= 200 else { return }
        if machine.headWritten(isWhole: isWhole) { response.headerFields[.connection] = "close" }
    }

    /// Writes the last bytes of a response.
    private func end(_ context: ChannelHandlerContext, with bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?) {
        idle.progressed()
        held?.requestEnded()
        guard machine.endWritten() == .writeAndReport else {
            return context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
        }
        // Rarely needed: an action follows the flush of the response.
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            if let action = machine.responseFlushed(), let error = heldError {
                heldError = nil
                end(context, at: error, action)
            }
            if machine.isDrained { context.close(promise: nil) }
        }
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: written)
    }

    // MARK: Encoding

    /// Encodes a head and its body (RFC 9112 section 4). The framing fields are already set.
    ///
    /// `HTTPField` allows no CR, LF or NUL in values and only tokens as names. Any control character that occurs
    /// nevertheless is written as a space.
    private func encode(_ response: HTTPResponse, _ body: ByteBuffer?, _ context: ChannelHandlerContext) -> ByteBuffer {
        // The capacity is that of the largest response so far, because computing the length first costs as much as
        // writing.
        var buffer = context.channel.allocator.buffer(capacity: max(largestResponse, body?.readableBytes ?? 0))
        buffer.writeStatusLine(response.status)
        for field in response.headerFields { buffer.writeField(field) }
        if response.status.code >= 200 {
            if let strictTransportSecurity { buffer.writeImmutableBuffer(strictTransportSecurity.line) }
            if let date { buffer.writeImmutableBuffer(date.line) }
        }
        buffer.writeStaticString("\r\n")
        if let body { buffer.writeImmutableBuffer(body) }
        largestResponse = min(max(largestResponse, buffer.readableBytes), Self.maximumCopy)
        return buffer
    }
}

@available(*, unavailable)
extension HTTP1ConnectionHandler: Sendable {}
