// SPDX-License-Identifier: Apache-2.0

import ExampleServing
import ExampleSite
import NIOCore
import NIOExtras
import NIOHTTP2
import NIOPosix
import NIOSSL
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerNIO
import ServiceLifecycle

/// A server on SwiftNIO without a framework, over TLS: HTTP/2 or HTTP/1.1, as the client chooses by ALPN. The broker is in
/// the pipeline of each HTTP/1.1 connection and of each HTTP/2 stream, and the server's own handler behind it.
struct EmbeddedTLSServer: ExampleServer {
    let broker: Broker
    private let parts: ExampleParts
    private let sessions: Sessions
    private let tls: NIOSSLContext

    init(configuration: BrokerConfiguration, parts: ExampleParts) throws {
        sessions = Sessions()
        broker = try parts.makeBroker(configuration, sessions: sessions)
        tls = try ConnectionFront.tls(parts.tls)
        self.parts = parts
    }

    /// Listens until the server is told to end, then waits for the responses that are under way.
    func run() async throws {
        let quiescing = ServerQuiescingHelper(group: parts.eventLoopGroup)
        let listener = try await ServerBootstrap(group: parts.eventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelInitializer { configure($0) }
            .bind(host: "127.0.0.1", port: parts.port)
            .get()
        parts.onListening(listener.localAddress)
        let drained = listener.eventLoop.makePromise(of: Void.self)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await drained.futureResult.get()
        } onCancelOrGracefulShutdown: {
            quiescing.initiateShutdown(promise: drained)
        }
    }

    private func configure(_ connection: any Channel) -> EventLoopFuture<Void> {
        let life = ConnectionFront.makeHTTP2Life(on: connection.eventLoop)
        let boundLife = NIOLoopBound(life, eventLoop: connection.eventLoop)
        do {
            try ConnectionFront.add(to: connection, tls: tls)
        } catch {
            return connection.eventLoop.makeFailedFuture(error)
        }
        return connection.configureCommonHTTPServerPipeline(
            connectionConfiguration: .init(), streamConfiguration: .init(), streamDelegate: life.http2StreamDelegate,
            h2ConnectionChannelConfigurator: { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(boundLife.value)
                }
            },
            configurator: { channel in
                // A connection of HTTP/1.1, or a stream of HTTP/2 whose codec makes the same parts.
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    // Nothing is in front of this server: the peer is the client.
                    try pipeline.addBroker(broker, logger: parts.logger, clientAddressing: .peer)
                    try pipeline.addHandler(HelloHandler(sessions: sessions))
                }
            })
    }
}
