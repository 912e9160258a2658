// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OIDCBrokerTesting
import Synchronization
import Testing

/// A provider over TLS whose responses are written beforehand, one for each path. It computes nothing, so that all code
/// of ours that runs while it is asked is the broker's.
final class WrittenProvider: Sendable {
    private struct State {
        var responses: [String: [UInt8]] = [:]
        var asked: [String] = []
    }

    /// The issuer, which is the origin that it listens on.
    let issuer: String
    private let state: Mutex<State>

    private init(issuer: String, state: State) {
        self.issuer = issuer
        self.state = Mutex(state)
    }

    /// The paths that it was asked for, in their order, behind their methods.
    var asked: [String] { state.withLock { $0.asked } }

    /// Sets the response to requests for a path: JSON.
    func write(_ response: [UInt8], at path: String) {
        state.withLock { $0.responses[path] = response }
    }

    /// Runs a body while the provider listens.
    static func run<Value>(
        certificate: DevelopmentCertificate, _ body: (WrittenProvider) async throws -> Value
    ) async throws -> Value {
        let context = try tlsContext(certificate)
        // The issuer contains the port. It is known before the first connection, which comes when the body runs.
        let made = Mutex<WrittenProvider?>(nil)
        let channel = try await ServerBootstrap(group: RunningServer.eventLoops)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let provider = try #require(made.withLock { $0 })
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(provider))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let port = try #require(channel.localAddress?.port)
            let provider = WrittenProvider(issuer: "https://127.0.0.1:\(port)", state: State())
            made.withLock { $0 = provider }
            let value = try await body(provider)
            try await channel.close()
            return value
        } catch {
            try? await channel.close()
            throw error
        }
    }

    private static func tlsContext(_ certificate: DevelopmentCertificate) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(certificate.privateKeyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.applicationProtocols = ["http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }

    /// The response to a request; `nil` where nothing was written for its path.
    private func response(to head: HTTPRequestHead) -> [UInt8]? {
        state.withLock { state in
            state.asked.append("\(head.method.rawValue) \(head.uri)")
            return state.responses[head.uri]
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let provider: WrittenProvider
        private var head: HTTPRequestHead?

        init(_ provider: WrittenProvider) {
            self.provider = provider
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
            case .body:
                break
            case .end:
                guard let head else { return }
                let body = provider.response(to: head)
                let headers: HTTPHeaders = [
                    "content-type": "application/json", "content-length": "\(body?.count ?? 0)",
                ]
                let response = HTTPResponseHead(
                    version: .http1_1, status: body == nil ? .notFound : .ok, headers: headers)
                context.write(wrapOutboundOut(.head(response)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body ?? [])))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
