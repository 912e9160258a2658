// SPDX-License-Identifier: Apache-2.0

import ExampleServing
import ExampleSite
import Logging
import NIOCore
import NIOExtras
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2
import NIOPosix
import NIOSSL
import OIDCBroker
import OIDCBrokerConfiguration
import ServiceLifecycle

/// A server that handles each request in an async function, over TLS with HTTP/2 and HTTP/1.1. It has no channel handler
/// of the broker's, and asks it for responses instead.
struct AsyncServer: ExampleServer {
    typealias HTTPChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    /// What becomes of a connection: HTTP/1.1, or HTTP/2 with its streams.
    private typealias Connection = EventLoopFuture<
        NIONegotiatedHTTPVersion<HTTPChannel, (Void, NIOHTTP2Handler.AsyncStreamMultiplexer<HTTPChannel>)>
    >

    let broker: Broker
    private let parts: ExampleParts
    private let requests: RequestLoop
    private let tls: NIOSSLContext

    init(configuration: BrokerConfiguration, parts: ExampleParts) throws {
        let sessions = Sessions()
        broker = try parts.makeBroker(configuration, sessions: sessions)
        requests = RequestLoop(broker: broker, sessions: sessions, eventLoopGroup: parts.eventLoopGroup)
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
            .bind(host: "127.0.0.1", port: parts.port) { configure($0) }
        parts.onListening(listener.channel.localAddress)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { tasks in
                    for try await connection in connections { tasks.addTask { await serve(connection) } }
                }
            }
        } onCancelOrGracefulShutdown: {
            quiescing.initiateShutdown(promise: nil)
        }
    }

    private func configure(_ channel: any Channel) -> EventLoopFuture<Connection> {
        let life = ConnectionFront.makeHTTP2Life(on: channel.eventLoop)
        let boundLife = NIOLoopBound(life, eventLoop: channel.eventLoop)
        do {
            try ConnectionFront.add(to: channel, tls: tls)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return channel.configureAsyncHTTPServerPipeline(
            streamDelegate: life.http2StreamDelegate,
            http1ConnectionInitializer: { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: true))
                    return try HTTPChannel(wrappingChannelSynchronously: channel)
                }
            },
            http2ConnectionInitializer: { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(boundLife.value)
                }
            },
            http2StreamInitializer: { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    return try HTTPChannel(wrappingChannelSynchronously: stream)
                }
            })
    }

    /// Serves a connection. What goes wrong on it ends it, and no other one.
    private func serve(_ connection: Connection) async {
        do {
            switch try await connection.get() {
            case .http1_1(let channel):
                try await requests.run(on: channel)
            case .http2((_, let streams)):
                try await withThrowingDiscardingTaskGroup { tasks in
                    for try await stream in streams.inbound {
                        tasks.addTask { try? await requests.run(on: stream) }
                    }
                }
            }
        } catch {
            parts.logger.debug("A connection ended", metadata: ["error": "\(type(of: error))"])
        }
    }
}
