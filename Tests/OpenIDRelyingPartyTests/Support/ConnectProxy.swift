// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Synchronization
import TestingSupport

/// An HTTP proxy on a free loopback port that makes tunnels (RFC 9110 section 9.3.6). It connects to this machine
/// whatever the requested host is, so that a test can use names that cannot be resolved.
final class ConnectProxy: Sendable {
    /// A CONNECT as it arrived.
    struct Tunnel: Sendable, Equatable {
        /// `host:port`.
        let target: String
        /// The whole head, in lines.
        let head: [String]
    }

    private struct State {
        var tunnels: [Tunnel] = []
        var connections: [any Channel] = []
    }

    let port: Int
    private let listener: any Channel
    private let record: Record

    private init(port: Int, listener: any Channel, record: Record) {
        self.port = port
        self.listener = listener
        self.record = record
    }

    /// Runs a test with a proxy and shuts it down.
    /// - Parameter status: The status of the response to CONNECT. Only 200 makes a tunnel.
    static func run(
        status: String = "200 Connection established",
        _ body: (ConnectProxy) async throws -> Void
    ) async throws {
        let record = Record()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    record.state.withLock { $0.connections.append(channel) }
                    try channel.pipeline.syncOperations.addHandler(Front(record: record, status: status))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let proxy = ConnectProxy(port: listener.localAddress?.port ?? 0, listener: listener, record: record)
        try await attempt {
            try await body(proxy)
        } finally: {
            await proxy.shutdown()
        }
    }

    /// The tunnels that were asked for.
    var tunnels: [Tunnel] { record.state.withLock { $0.tunnels } }

    private func shutdown() async {
        // What is closed already cannot be closed again.
        try? await listener.close().get()
        for connection in record.state.withLock({ $0.connections }) { try? await connection.close().get() }
    }

    private final class Record: Sendable {
        let state = Mutex(State())
    }

    /// The client's side.
    private final class Front: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let record: Record
        private let status: String
        private var received = ""
        private var back: (any Channel)?

        init(record: Record, status: String) {
            self.record = record
            self.status = status
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            if let back {
                back.writeAndFlush(buffer, promise: nil)
                return
            }
            received += String(buffer: buffer)
            guard received.hasSuffix("\r\n\r\n") else { return }
            let head = received.split(separator: "\r\n").map(String.init)
            let words = (head.first ?? "").split(separator: " ").map(String.init)
            guard words.count == 3, words[0] == "CONNECT" else {
                context.close(promise: nil)
                return
            }
            record.state.withLock { $0.tunnels.append(Tunnel(target: words[1], head: head)) }
            guard status.hasPrefix("200"), let port = words[1].split(separator: ":").last.flatMap({ Int($0) }) else {
                let channel = context.channel
                let response = ByteBuffer(string: "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
                context.writeAndFlush(wrapOutboundOut(response)).whenComplete { _ in channel.close(promise: nil) }
                return
            }
            connect(context, port)
        }

        func channelInactive(context: ChannelHandlerContext) {
            back?.close(promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private func connect(_ context: ChannelHandlerContext, _ port: Int) {
            let front = context.channel
            ClientBootstrap(group: context.eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Back(front: front))
                    }
                }
                .connect(host: "127.0.0.1", port: port)
                .assumeIsolated()
                .whenComplete { result in
                    switch result {
                    case .success(let channel):
                        self.back = channel
                        front.writeAndFlush(ByteBuffer(string: "HTTP/1.1 \(self.status)\r\n\r\n"), promise: nil)
                    case .failure:
                        front.close(promise: nil)
                    }
                }
        }
    }

    /// The provider's side.
    private final class Back: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let front: any Channel

        init(front: any Channel) {
            self.front = front
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            front.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            front.close(promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
