// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// The last handler of an operator's connection: it answers one request, and closes.
final class OperationsHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let endpoints: OperationsEndpoints
    private let connections: OperationsConnections
    private let deadline: TimeAmount
    private var expiry: Scheduled<Void>?
    /// Whether there was a request, or something that is none. Whatever comes behind it is dropped.
    private var isAnswered = false

    init(endpoints: OperationsEndpoints, connections: OperationsConnections, deadline: TimeAmount) {
        self.endpoints = endpoints
        self.connections = connections
        self.deadline = deadline
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // One deadline for everything: for a head that trickles in as well as for a response that nobody reads.
        let channel = context.channel
        expiry = context.eventLoop.scheduleTask(in: deadline) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        expiry?.cancel()
        expiry = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), !isAnswered else { return }
        isAnswered = true
        let isLarge = OperationsEndpoints.isMetrics(head.uri)
        if isLarge {
            guard connections.beginMetricsResponse() else {
                return write(.text(.serviceUnavailable, "Too many scrapes.\n"), toHEAD: head.method == .HEAD, context)
            }
            let connections = connections
            context.channel.closeFuture.whenComplete { _ in connections.endMetricsResponse() }
        }
        let accept = head.headers["accept"].joined(separator: ",")
        let response = endpoints.respond(
            to: head.method, target: head.uri, accept: accept, on: context.eventLoop)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let isHEAD = head.method == .HEAD
        response.whenComplete { result in
            let (handler, context) = bound.value
            switch result {
            case .success(let response): handler.write(response, toHEAD: isHEAD, context)
            case .failure: context.close(promise: nil)
            }
        }
    }

    /// A client that closes its side without a request wants nothing more. One that has sent a request gets its response.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event, !isAnswered { context.close(promise: nil) }
    }

    /// Input that is not HTTP gets a response if nothing was answered yet.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, !isAnswered else { return context.close(promise: nil) }
        isAnswered = true
        write(.text(.badRequest, "This is not HTTP.\n"), toHEAD: false, context)
    }

    private func write(_ response: OperationsResponse, toHEAD isHEAD: Bool, _ context: ChannelHandlerContext) {
        var fields: HTTPHeaders = [
            "Content-Type": response.contentType,
            "Content-Length": "\(response.body.count)",
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
        ]
        if let allow = response.allow { fields.add(name: "Allow", value: allow) }
        let head = HTTPResponseHead(version: .http1_1, status: response.status, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isHEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }
}

@available(*, unavailable)
extension OperationsHandler: Sendable {}
