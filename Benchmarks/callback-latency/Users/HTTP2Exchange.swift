// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A request and its response on a stream of its own.
final class HTTP2Exchange: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// Whether any part of the response was received.
    private(set) var hasBegun = false

    private let request: UserRequest
    private let host: String
    private weak var connection: HTTP2Connection?
    private var response = TargetResponse(status: 0)
    private var isDone = false

    init(_ request: UserRequest, host: String, connection: HTTP2Connection) {
        self.request = request
        self.host = host
        self.connection = connection
    }

    func channelActive(context: ChannelHandlerContext) {
        var headers = HPACKHeaders()
        headers.add(name: ":method", value: request.method)
        headers.add(name: ":scheme", value: "https")
        headers.add(name: ":authority", value: host)
        headers.add(name: ":path", value: request.target)
        for field in request.fields { headers.add(name: field.name, value: field.value) }
        if let cookie = request.cookie { headers.add(name: "cookie", value: cookie) }
        if let body = request.body { headers.add(name: "content-length", value: String(body.utf8.count)) }
        let head = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: request.body == nil))
        if let body = request.body {
            context.write(wrapOutboundOut(head), promise: nil)
            let data = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true))
            context.writeAndFlush(wrapOutboundOut(data), promise: nil)
        } else {
            context.writeAndFlush(wrapOutboundOut(head), promise: nil)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let time = MonotonicClock.now()
        hasBegun = true
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            if let status = frame.headers.first(name: ":status").flatMap({ Int($0) }), status >= 200 {
                response.status = status
                response.location = frame.headers.first(name: "location")
                response.setCookies = frame.headers["set-cookie"]
            }
            if frame.endStream { finish(at: time) }
        case .data(let frame):
            if case .byteBuffer(let buffer) = frame.data { response.body.append(contentsOf: buffer.readableBytesView) }
            if frame.endStream { finish(at: time) }
        default:
            break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail("the stream was closed")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail("the stream was reset")
        context.close(promise: nil)
    }

    private func finish(at time: Int64) {
        guard !isDone else { return }
        isDone = true
        connection?.received(response, by: self, at: time)
    }

    private func fail(_ reason: String) {
        guard !isDone else { return }
        isDone = true
        connection?.failed(self, reason, isUntouched: !hasBegun)
    }
}

@available(*, unavailable)
extension HTTP2Exchange: Sendable {}
