// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// A keep-alive HTTP/1.1 connection, which writes a request at once and reads its response without a general parser.
final class HTTP1Connection: ChannelInboundHandler, UserConnection {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let host: String
    private weak var delegate: (any UserConnectionDelegate)?
    private var context: ChannelHandlerContext?
    private var reader = HTTP1MessageReader(.responses, keeping: TargetResponse.fields)
    private var isWaiting = false
    private var isClosed = false
    private var responses = 0

    init(host: String, delegate: any UserConnectionDelegate) {
        self.host = host
        self.delegate = delegate
    }

    var isUsable: Bool { context != nil && !isClosed && !isWaiting }

    func send(_ request: UserRequest) {
        guard let context, !isClosed else {
            delegate?.connectionFailed("the connection is closed", isStale: responses > 0)
            return
        }
        isWaiting = true
        var buffer = context.channel.allocator.buffer(capacity: 1024)
        buffer.writeString(request.method)
        buffer.writeString(" ")
        buffer.writeString(request.target)
        buffer.writeString(" HTTP/1.1\r\nhost: ")
        buffer.writeString(host)
        buffer.writeString("\r\n")
        for field in request.fields {
            buffer.writeString(field.name)
            buffer.writeString(": ")
            buffer.writeString(field.value)
            buffer.writeString("\r\n")
        }
        if let cookie = request.cookie {
            buffer.writeString("cookie: ")
            buffer.writeString(cookie)
            buffer.writeString("\r\n")
        }
        if let body = request.body {
            buffer.writeString("content-length: \(body.utf8.count)\r\n\r\n")
            buffer.writeString(body)
        } else {
            buffer.writeString("\r\n")
        }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    func close() {
        delegate = nil
        isClosed = true
        context?.close(promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Taken first, because further work of this process is not the target's latency.
        let time = MonotonicClock.now()
        let buffer = unwrapInboundIn(data)
        buffer.withUnsafeReadableBytes { reader.append($0) }
        do {
            guard let message = try reader.next() else { return }
            deliver(message, at: time)
        } catch {
            fail("\(error)")
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let time = MonotonicClock.now()
        let message = try? reader.finish()
        isClosed = true
        if isWaiting {
            if let message {
                deliver(message, at: time)
            } else {
                fail("the connection was closed", isStale: responses > 0 && !reader.isInsideMessage)
            }
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(ConnectionFailure.kind(of: error), isStale: responses > 0 && !reader.isInsideMessage)
        context.close(promise: nil)
    }

    /// Delivers the response after all ready sockets have been read, so that the time of another response does not
    /// include what this one's user does.
    private func deliver(_ message: HTTP1Message, at time: Int64) {
        guard isWaiting, let context else { return }
        isWaiting = false
        responses += 1
        if message.isLast {
            isClosed = true
            context.close(promise: nil)
        }
        let response = TargetResponse(message)
        context.eventLoop.assumeIsolated().execute { self.delegate?.received(response, at: time) }
    }

    private func fail(_ reason: String, isStale: Bool = false) {
        isClosed = true
        guard isWaiting else { return }
        isWaiting = false
        delegate?.connectionFailed(reason, isStale: isStale)
    }
}

@available(*, unavailable)
extension HTTP1Connection: Sendable {}
