// SPDX-License-Identifier: Apache-2.0

import Admission
import OIDCBrokerOperations
import Logging
import Metrics
import NIOCore
import NIOExtras
import NIOPosix

/// A socket on which a server listens, with the connections that were accepted from it.
struct ListeningSocket {
    /// A place to listen on.
    enum Place: Sendable {
        case host(String, port: Int)
        case unixSocket(path: String)
    }

    /// The maximum number of connections that wait to be accepted.
    private static let backlog: Int32 = 1024

    /// The address, with the actual port.
    let address: SocketAddress
    /// The event loop of the socket.
    var eventLoop: any EventLoop { channel.eventLoop }

    private let channel: any Channel
    private let quiescing: ServerQuiescingHelper
    private let file: UnixSocketFile?

    /// Listens.
    /// - Parameters:
    ///   - place: The place to listen on.
    ///   - group: The event loops.
    ///   - logger: The logger of connections that cannot be accepted.
    ///   - metricsFactory: What makes the counter of these.
    ///   - initialize: A closure that configures an accepted connection, which is closed if the future fails.
    /// - Throws: ``ListenerError``.
    static func open(
        _ place: Place, on group: any EventLoopGroup, logger: Logger, metricsFactory: any MetricsFactory,
        initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws(ListenerError) -> ListeningSocket {
        let quiescing = ServerQuiescingHelper(group: group)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try AcceptErrorHandler.add(to: channel, logger: logger, metricsFactory: metricsFactory)
                    try channel.pipeline.syncOperations.addHandler(
                        quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // One read may contain many requests whose responses are far longer, so only a few are read at a time.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 32_768)
            )
            .childChannelInitializer(initialize)
        switch place {
        case .host(let host, let port):
            let channel: any Channel
            do {
                channel =
                    try await bootstrap
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                    // Else the kernel gives a client that does not read, or is not read, megabytes.
                    .childChannelOption(
                        .socketOption(.so_sndbuf), value: SocketOptionValue(HeldMemory.sendBufferBytes)
                    )
                    .childChannelOption(
                        .socketOption(.so_rcvbuf), value: SocketOptionValue(HeldMemory.receiveBufferBytes)
                    )
                    // What waits for a client is counted from here on.
                    .childChannelOption(
                        .writeBufferWaterMark, value: ChannelOptions.Types.WriteBufferWaterMark(low: 8192, high: 16384)
                    )
                    .bind(host: host, port: port).get()
            } catch {
                throw .cannotListen(host: host, port: port, reason: error)
            }
            guard let address = channel.localAddress else { throw .noAddress }
            return ListeningSocket(address: address, channel: channel, quiescing: quiescing, file: nil)
        case .unixSocket(let path):
            do {
                let address = try SocketAddress(unixDomainSocketPath: path)
                let (file, descriptor) = try UnixSocketFile.make(at: path)
                do {
                    let channel = try await bootstrap.withBoundSocket(descriptor).get()
                    UnixSocketFile.setBacklog(backlog, of: descriptor)
                    return ListeningSocket(address: address, channel: channel, quiescing: quiescing, file: file)
                } catch {
                    file.remove()
                    throw error
                }
            } catch {
                throw .cannotListen(unixSocket: path, reason: error)
            }
        }
    }

    /// Accepts no more connections, and lets those that are open end.
    /// - Returns: A future that completes when all of them are closed.
    func drain() -> EventLoopFuture<Void> {
        // While the socket is open, no other file can be taken for its own.
        file?.remove()
        let drained = eventLoop.makePromise(of: Void.self)
        // The helper closes the listener itself. If it were already closed, the helper's shutdown would fail.
        quiescing.initiateShutdown(promise: drained)
        return drained.futureResult
    }
}
