// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOSSL

/// A channel handler that collects a request, passes it to the responder, and writes the response. It validates only
/// the length of the body.
final class ProviderChannelHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The maximum length of a body, in bytes.
    private static let bodyLimit = 64 * 1024

    private let responder: any RequestResponder
    private let purpose: ProviderListener.Purpose
    /// The request that is being collected; `nil` between requests, and for the remainder of a refused request.
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()

    init(responder: any RequestResponder, purpose: ProviderListener.Purpose) {
        self.responder = responder
        self.purpose = purpose
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body.clear()
        case .body(var buffer):
            guard let head else { return }
            guard body.readableBytes + buffer.readableBytes <= Self.bodyLimit else {
                self.head = nil
                write(.plain(status: 413, "Content Too Large"), to: head, isLast: true, context: context)
                return
            }
            body.writeBuffer(&buffer)
        case .end:
            guard let head else { return }
            self.head = nil
            let request = ReceivedRequest(
                method: head.method.rawValue,
                target: head.uri,
                headers: head.headers.map { (name: $0.name.lowercased(), value: $0.value) },
                body: Array(body.readableBytesView),
                clientCertificate: clientCertificate(context))
            write(responder.respond(to: request), to: head, isLast: !head.isKeepAlive, context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func clientCertificate(_ context: ChannelHandlerContext) -> [UInt8]? {
        guard purpose == .mutualTLS else { return nil }
        let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
        return certificate.flatMap { try? $0.toDERBytes() }
    }

    private func write(
        _ response: SentResponse,
        to head: HTTPRequestHead,
        isLast: Bool,
        context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders()
        for field in response.headers { headers.add(name: field.name, value: field.value) }
        headers.add(name: "content-length", value: String(response.body.count))
        if isLast { headers.add(name: "connection", value: "close") }
        let responseHead = HTTPResponseHead(
            version: head.version, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.write(wrapOutboundOut(.head(responseHead)), promise: nil)
        if !response.body.isEmpty, head.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
        }
        guard isLast else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            return
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}

@available(*, unavailable)
extension ProviderChannelHandler: Sendable {}
