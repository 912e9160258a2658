// SPDX-License-Identifier: Apache-2.0

public import Logging
import NIOCertificateReloading
public import NIOCore
import NIOExtras
import NIOPosix
import NIOSSL
public import OIDCBroker
public import ServiceLifecycle

/// The standalone server: TLS with HTTP/2 and HTTP/1.1, or plain HTTP/1.1 on loopback, and nothing but the broker.
///
/// A service: run it in a `ServiceGroup`, whose graceful shutdown drains it.
public final class BrokerServer: Service {
    private let configuration: ServerConfiguration
    private let broker: Broker
    private let eventLoopGroup: any EventLoopGroup
    private let logger: Logger
    private let limits: ListenerLimits
    private let certificates: TimedCertificateReloader?
    private let tls: NIOSSLContext?
    private let bound = BoundAddress()

    /// A server that does not listen yet. The TLS files are read here.
    ///
    /// - Parameters:
    ///   - configuration: where to listen.
    ///   - broker: what answers.
    ///   - eventLoopGroup: runs the connections; the broker's transport should be on the same group. Of NIOPosix.
    ///   - logger: told about listening, draining and certificates; never about requests' contents.
    /// - Throws: `BrokerConfigurationError` for a configuration that cannot be served.
    public convenience init(
        configuration: ServerConfiguration,
        broker: Broker,
        eventLoopGroup: any EventLoopGroup,
        logger: Logger
    ) throws {
        try self.init(
            configuration: configuration, broker: broker, eventLoopGroup: eventLoopGroup, logger: logger,
            limits: ListenerLimits())
    }

    /// A server with other limits, for tests of those.
    package init(
        configuration: ServerConfiguration,
        broker: Broker,
        eventLoopGroup: any EventLoopGroup,
        logger: Logger,
        limits: ListenerLimits
    ) throws {
        let errors = configuration.validate()
        guard errors.isEmpty else { throw BrokerConfigurationError(errors: errors) }
        self.configuration = configuration
        self.broker = broker
        self.eventLoopGroup = eventLoopGroup
        self.logger = logger
        self.limits = limits
        certificates = try configuration.tls.map {
            try CertificateReload.reloader($0, every: limits.certificateRefreshInterval, logger: logger)
        }
        tls = try certificates.map { try CertificateReload.context($0) }
    }

    /// The address in use: that with the real port where port 0 was asked for. Waits until the server listens.
    ///
    /// - Throws: ``ListenerError`` where it cannot listen.
    public func boundAddress() async throws -> SocketAddress {
        try await bound.value()
    }

    /// Listens and serves until graceful shutdown, then drains: the listener is closed first, requests in flight are
    /// answered, connections that outlive the deadline are closed. Cancelled, it closes everything at once.
    ///
    /// - Throws: ``ListenerError`` where it cannot listen.
    public func run() async throws {
        let quiescing = ServerQuiescingHelper(group: eventLoopGroup)
        let connections = OpenConnections()
        let listener = try await listen(quiescing, connections)
        logger.info(
            "listening",
            metadata: [
                "auth.address": "\(listener.localAddress.map(String.init(describing:)) ?? configuration.host)",
                "auth.tls": "\(tls != nil)",
            ])
        let isGraceful = await waitForShutdown()
        logger.info("draining", metadata: ["auth.graceful": "\(isGraceful)"])
        connections.drain()
        let drained = listener.eventLoop.makePromise(of: Void.self)
        // The helper closes the listener itself: closed before, its shutdown would fail.
        quiescing.initiateShutdown(promise: drained)
        let deadline = listener.eventLoop.scheduleTask(in: isGraceful ? limits.drainDeadline : .zero) {
            connections.close()
        }
        try await drained.futureResult.get()
        deadline.cancel()
        logger.info("drained")
    }

    private func listen(
        _ quiescing: ServerQuiescingHelper, _ connections: OpenConnections
    ) async throws -> any Channel {
        let connection = ConnectionInitializer(
            broker: broker, limits: limits, tls: tls, connections: connections,
            peersAreProxies: configuration.peersAreProxies, logger: logger)
        let bootstrap = ServerBootstrap(group: eventLoopGroup)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // One read brings requests whose responses may be sixty times as long: few of them at a time.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 32_768)
            )
            .childChannelInitializer { connection.initialize($0) }
        do {
            let channel = try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
            guard let address = channel.localAddress else { throw ListenerError.noAddress }
            bound.settle(.success(address))
            return channel
        } catch {
            let error = ListenerError.cannotListen(
                host: configuration.host, port: configuration.port, reason: error)
            bound.settle(.failure(error))
            throw error
        }
    }

    /// Waits, with the TLS files and the keys of providers watched meanwhile. False where the task was canceled
    /// instead.
    private func waitForShutdown() async -> Bool {
        await withTaskGroup(of: Void.self) { tasks in
            if let certificates {
                // It ends by throwing only when canceled; a bad file is reported and survived.
                tasks.addTask { try? await certificates.run() }
            }
            let keys = AppleKeyReload(broker: broker, interval: limits.certificateRefreshInterval, logger: logger)
            tasks.addTask { await keys.run() }
            defer { tasks.cancelAll() }
            do {
                try await gracefulShutdown()
                return true
            } catch {
                return false
            }
        }
    }
}
