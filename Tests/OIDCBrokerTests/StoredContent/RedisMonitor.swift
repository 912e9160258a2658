// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Synchronization
import TestingSupport

/// Every command that a server of Redis takes, as `MONITOR` tells it.
final class RedisMonitor: Sendable {
    /// It did not tell what it was asked for.
    struct Silent: Error {}

    private final class Received: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        private let received: Received

        init(_ received: Received) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(unwrapInboundIn(data).readableBytesView)
            received.bytes.withLock { $0 += bytes }
        }
    }

    private let received = Received()
    private let path: String
    private let channel: any Channel

    /// Begins to listen.
    init(_ server: RedisServer) async throws {
        path = server.socketPath
        channel = try await Self.connect(path, received)
        try await send("MONITOR", on: channel)
        try await wait(for: "+OK")
    }

    /// Ends, when everything that was sent before was told.
    /// - Returns: What was told.
    func end() async throws -> [UInt8] {
        let other = try await Self.connect(path, Received())
        try await send("ECHO end-of-the-run", on: other)
        try await wait(for: "end-of-the-run")
        try await other.close()
        try await channel.close()
        return received.bytes.withLock { $0 }
    }

    private static func connect(_ path: String, _ received: Received) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(Collector(received)) }
            .connect(unixDomainSocketPath: path).get()
    }

    private func send(_ command: String, on channel: any Channel) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: command + "\r\n"))
    }

    private func wait(for text: String) async throws {
        for _ in 0..<12_000 {
            if StoredContent(received.bytes.withLock { $0 }).contains(Array(text.utf8)) { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Silent()
    }
}
