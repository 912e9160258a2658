// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing
import TestingSupport

/// A server that answers every request with the same bytes, over a real socket.
struct CannedServer: Sendable {
    /// Counts requests.
    final class Counter: Sendable {
        private let requests = Atomic(0)
        private let cookies = Atomic(0)

        var count: Int { requests.load(ordering: .relaxed) }
        /// The number of those with a cookie.
        var cookieCount: Int { cookies.load(ordering: .relaxed) }

        func add(hasCookie: Bool) {
            if hasCookie { cookies.add(1, ordering: .relaxed) }
            requests.add(1, ordering: .relaxed)
        }
    }

    let url: URL
    let requests: Counter

    /// Runs a body against a server, then stops it.
    /// - Parameter response: What it answers; nothing if it is empty.
    static func run(_ response: String, _ body: (CannedServer) async throws -> Void) async throws {
        let (requests, bytes) = (Counter(), ByteBuffer(string: response))
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CannedHandler(bytes, requests))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        try await attempt {
            let port = try #require(listener.localAddress?.port)
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
            try await body(CannedServer(url: url, requests: requests))
        } finally: {
            try await listener.close()
        }
    }
}

private final class CannedHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let response: ByteBuffer
    private let requests: CannedServer.Counter

    init(_ response: ByteBuffer, _ requests: CannedServer.Counter) {
        self.response = response
        self.requests = requests
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        let received = buffer.readableBytesView
        // The body of a request may come by itself.
        guard received.starts(with: "POST ".utf8) || received.starts(with: "GET ".utf8) else { return }
        requests.add(hasCookie: String(buffer: buffer).lowercased().contains("\r\ncookie:"))
        context.writeAndFlush(wrapOutboundOut(response), promise: nil)
    }
}
