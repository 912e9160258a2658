// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// A channel handler for a connection to the provider, which reads requests and writes prepared responses.
final class ProviderConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let provider: ProviderService
    private var reader = HTTP1MessageReader(.requests, keeping: ["authorization", "dpop", "expect"])

    init(provider: ProviderService) {
        self.provider = provider
    }

    func channelActive(context: ChannelHandlerContext) {
        provider.connectionOpened()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        buffer.withUnsafeReadableBytes { reader.append($0) }
        do {
            while let request = try reader.next() { respond(to: request, context: context) }
        } catch {
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func respond(to request: HTTP1Message, context: ChannelHandlerContext) {
        let response = provider.answer(to: request)
        guard response.isDelayed, provider.latency > .zero else {
            write(response, isLast: request.isLast, context: context)
            return
        }
        context.eventLoop.assumeIsolated().scheduleTask(in: provider.latency) {
            self.write(response, isLast: request.isLast, context: context)
        }
    }

    private func write(_ response: ProviderService.Response, isLast: Bool, context: ChannelHandlerContext) {
        var buffer = context.channel.allocator.buffer(capacity: response.body.count + 192)
        buffer.writeString("HTTP/1.1 \(response.status)\r\ncontent-type: application/json\r\ncache-control: ")
        buffer.writeString(response.isCacheable ? "public, max-age=3600" : "no-store")
        buffer.writeString("\r\ncontent-length: \(response.body.count)\r\n")
        if isLast { buffer.writeString("connection: close\r\n") }
        buffer.writeString("\r\n")
        buffer.writeBytes(response.body)
        guard isLast else {
            context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
            return
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(buffer)).whenComplete { _ in channel.close(promise: nil) }
    }
}

@available(*, unavailable)
extension ProviderConnectionHandler: Sendable {}
