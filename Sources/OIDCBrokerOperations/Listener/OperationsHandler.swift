// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import NIOHTTP1
import OIDCBrokerHTTP

/// The last handler of an operator's connection: it answers one request, and closes.
final class OperationsHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let endpoints: OperationsEndpoints
    private let hosts: OperationsHosts
    private let scrapes: OperationsConnections
    private let deadline: TimeAmount
    private let date: ResponseDate
    private var expiry: Scheduled<Void>?
    /// Whether there was a request, or something that is none. Whatever comes behind it is dropped.
    private var isAnswered = false

    /// - Parameters:
    ///   - endpoints: What is answered.
    ///   - hosts: The hosts by which the listener may be asked.
    ///   - scrapes: The connections whose responses have metrics.
    ///   - deadline: The time limit of the connection.
    ///   - date: The field `Date` of each response.
    init(
        endpoints: OperationsEndpoints, hosts: OperationsHosts, scrapes: OperationsConnections, deadline: TimeAmount,
        date: ResponseDate
    ) {
        self.date = date
        self.endpoints = endpoints
        self.hosts = hosts
        self.scrapes = scrapes
        self.deadline = deadline
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // One deadline for everything: for a head that trickles in, and for a response that is not read.
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
        if let refusal = refusal(of: head, context) {
            return write(refusal, toHEAD: head.method == .HEAD, context)
        }
        if OperationsEndpoints.isMetrics(head.uri) { scrapes.add(context.channel) }
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

    /// The response to a request that came by a host that is not the listener's; `nil` if it is answered.
    private func refusal(of head: HTTPRequestHead, _ context: ChannelHandlerContext) -> OperationsResponse? {
        let fields = head.headers["host"]
        guard fields.count <= 1 else { return .text(.badRequest, "The request has more than one Host field.\n") }
        // Of an address that is not known the stricter rule is applied.
        let local = context.localAddress?.ipAddress.flatMap { IPAddress($0) }
        guard !hosts.accepts(fields.first, isLoopback: local?.isLoopback ?? true) else { return nil }
        return .text(
            .misdirectedRequest, "Use an IP address, localhost or the name in server.operations.host.\n")
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
            "Content-Length": "\(response.body.readableBytes)",
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
            "Date": date.value,
        ]
        if let allow = response.allow { fields.add(name: "Allow", value: allow) }
        let head = HTTPResponseHead(version: .http1_1, status: response.status, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isHEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }
}

@available(*, unavailable)
extension OperationsHandler: Sendable {}
