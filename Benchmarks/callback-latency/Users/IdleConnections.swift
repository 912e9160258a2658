// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Open idle connections to the target, like those of many users who read a page.
///
/// Each has sent one request, so that no deadline for a first request closes it.
final class IdleConnections: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let channels: [any Channel]
    private let open = Atomic<Int>(0)

    private init(group: MultiThreadedEventLoopGroup, channels: [any Channel]) {
        self.group = group
        self.channels = channels
        open.store(channels.count, ordering: .relaxed)
    }

    /// Opens connections, 64 at a time.
    static func open(_ count: Int, plan: LoadPlan) async throws -> IdleConnections {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var channels: [any Channel] = []
        do {
            while channels.count < count {
                let futures = (channels.count..<min(channels.count + 64, count)).map { _ in connect(plan, group) }
                for future in futures { channels.append(try await future.get()) }
            }
        } catch {
            try? await group.shutdownGracefully()
            throw LatencyToolError("after \(channels.count) of \(count) idle connections: \(error)")
        }
        let connections = IdleConnections(group: group, channels: channels)
        for channel in channels {
            channel.closeFuture.whenComplete { _ in connections.closed() }
        }
        return connections
    }

    /// The number of connections that are still open.
    var openCount: Int { open.load(ordering: .relaxed) }

    /// Closes all connections.
    func close() async {
        for channel in channels { channel.close(promise: nil) }
        try? await group.shutdownGracefully()
    }

    private func closed() { open.wrappingSubtract(1, ordering: .relaxed) }

    private static func connect(_ plan: LoadPlan, _ group: MultiThreadedEventLoopGroup) -> EventLoopFuture<any Channel>
    {
        let request = "GET /idle HTTP/1.1\r\nhost: \(plan.target.host)\r\n\r\n"
        let tls = plan.http1TLS
        return ClientBootstrap(group: group)
            .connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
                    try pipeline.addHandler(AskingOnceHandler(request: request))
                }
            }
            .connect(to: plan.address)
    }
}

/// A channel handler that sends one request and ignores everything received.
private final class AskingOnceHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: String

    init(request: String) {
        self.request = request
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension AskingOnceHandler: Sendable {}
