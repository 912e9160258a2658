// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

/// An app's server for webhooks, with plain http on loopback, which records each and responds as configured.
final class WebhookReceiver: Sendable {
    /// A request, whole.
    struct Received: Sendable {
        let head: HTTPRequestHead
        let body: [UInt8]
    }

    private struct State {
        var received: [Received] = []
        var statuses: [HTTPResponseStatus] = []
    }

    private let state = Mutex(State())

    /// What came so far.
    var received: [Received] { state.withLock { $0.received } }

    /// Answers the next requests like this, in this order, then by 204.
    func answer(_ statuses: [HTTPResponseStatus]) {
        state.withLock { $0.statuses = statuses }
    }

    /// Runs a body against one; gives it the address of its root.
    static func run(_ body: (WebhookReceiver, String) async throws -> Void) async throws {
        let receiver = WebhookReceiver()
        let channel = try await ServerBootstrap(group: RunningServer.eventLoops)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(receiver))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let port = try #require(channel.localAddress?.port)
            try await body(receiver, "http://127.0.0.1:\(port)")
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    fileprivate func take(_ received: Received) -> HTTPResponseStatus {
        state.withLock { state in
            state.received.append(received)
            return state.statuses.isEmpty ? .noContent : state.statuses.removeFirst()
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let receiver: WebhookReceiver
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ receiver: WebhookReceiver) {
            self.receiver = receiver
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = []
            case .body(let bytes):
                body += bytes.readableBytesView
            case .end:
                guard let head else { return }
                let status = receiver.take(Received(head: head, body: body))
                // Elsewhere an honest response would wait: a redirect that is followed is found out.
                let headers: HTTPHeaders = ["content-length": "0", "location": "/elsewhere"]
                let response = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
                context.write(wrapOutboundOut(.head(response)), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
