// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OIDCBrokerTesting
import Testing
import TestingSupport

/// A server on 127.0.0.1 whose responses a test writes.
enum AnsweringServer {
    /// A response, but for its length.
    struct Answer: Sendable {
        var status: HTTPResponseStatus
        var headers: HTTPHeaders = [:]
        var body: [UInt8] = []
    }

    /// Runs a body against a server; gives it the origin.
    /// - Parameters:
    ///   - certificate: The certificate for TLS; `nil` for plain http.
    ///   - answer: Answers a request with this head and body.
    static func run<Value>(
        certificate: DevelopmentCertificate? = nil,
        answering answer: @escaping @Sendable (HTTPRequestHead, [UInt8]) -> Answer,
        body: (_ origin: String) async throws -> Value
    ) async throws -> Value {
        let tls = try certificate.map { try NIOSSLContext(configuration: $0.serverConfiguration()) }
        let channel = try await ServerBootstrap(group: RunningServer.eventLoops)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(Handler(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return try await attempt {
            let port = try #require(channel.localAddress?.port)
            return try await body("\(tls == nil ? "http" : "https")://127.0.0.1:\(port)")
        } finally: {
            try await channel.close()
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answer: @Sendable (HTTPRequestHead, [UInt8]) -> Answer
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ answer: @escaping @Sendable (HTTPRequestHead, [UInt8]) -> Answer) {
            self.answer = answer
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
                let answer = answer(head, body)
                var headers = answer.headers
                headers.add(name: "content-length", value: "\(answer.body.count)")
                let response = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
                context.write(wrapOutboundOut(.head(response)), promise: nil)
                if !answer.body.isEmpty {
                    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
                }
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
