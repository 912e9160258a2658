// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OIDCBrokerTesting

/// The sample app's listener: TLS and HTTP/1.1 on 127.0.0.1.
struct SampleAppListener: Sendable {
    private let channel: any Channel

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - port: The port.
    ///   - certificate: The certificate for TLS.
    ///   - group: The event loops. Shutting them down closes the connections.
    /// - Throws: An error of NIO if the port is taken, or of NIOSSL.
    static func start(
        _ app: SampleApp, port: Int, certificate: DevelopmentCertificate, on group: any EventLoopGroup
    ) async throws -> SampleAppListener {
        let context = try NIOSSLContext(configuration: certificate.serverConfiguration())
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(SampleAppHandler(app: app))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        return SampleAppListener(channel: channel)
    }

    /// Stops listening. Open connections end with the event loops.
    func stop() async {
        try? await channel.close()
    }
}

/// A channel handler that passes one request after the other to the app. The pipelining handler before it keeps their
/// order.
private final class SampleAppHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let app: SampleApp
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(app: SampleApp) {
        self.app = app
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let part):
            // One byte more than the app reads, by which it sees that the body is too long.
            body.append(contentsOf: part.readableBytesView.prefix(SampleAppRequest.longestBody + 1 - body.count))
        case .end:
            guard let head else { return }
            self.head = nil
            let request = SampleAppRequest(
                method: head.method, target: head.uri, cookies: head.headers["cookie"],
                origin: head.headers.first(name: "origin"), body: body)
            let app = app
            let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
            context.eventLoop.makeFutureWithTask {
                await app.respond(to: request)
            }.whenSuccess { response in
                let (handler, context) = bound.value
                handler.write(response, to: head, context)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A browser that does not trust the certificate yet ends the handshake, which is not reported.
        context.close(promise: nil)
    }

    private func write(_ response: SampleAppResponse, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let (status, fields, body) = response.message
        var headers = fields
        if !request.isKeepAlive { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !body.isEmpty, request.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        }
        let isLast = !request.isKeepAlive
        let written = context.eventLoop.makePromise(of: Void.self)
        if isLast {
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }
}
