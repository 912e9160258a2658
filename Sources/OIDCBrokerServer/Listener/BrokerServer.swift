// SPDX-License-Identifier: Apache-2.0

public import Logging
import NIOCertificateReloading
public import NIOCore
import NIOExtras
import NIOPosix
import NIOSSL
public import OIDCBroker
public import ServiceLifecycle

/// The standalone server, which serves only the broker: TLS with HTTP/2 and HTTP/1.1, or plain HTTP/1.1 on a loopback
/// address.
///
/// It is a service. Run it in a `ServiceGroup`, whose graceful shutdown drains it.
public final class BrokerServer: Service {
    private let configuration: ServerConfiguration
    private let broker: Broker
    private let eventLoopGroup: any EventLoopGroup
    private let logger: Logger
    private let limits: ListenerLimits
    private let certificates: TimedCertificateReloader?
    private let tls: NIOSSLContext?
    private let bound = BoundAddress()

    /// Creates a server that does not listen yet. The TLS files are read here.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the listener.
    ///   - broker: The broker.
    ///   - eventLoopGroup: The event loops of the connections, which must be those of NIOPosix. The broker's transport
    ///     should use the same group.
    ///   - logger: The logger for listening, draining and certificates. The contents of requests are never logged.
    /// - Throws: `BrokerConfigurationError` if the configuration cannot be served.
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

    /// Creates a server with other limits, for tests.
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

    /// The address in use, with the actual port if port 0 was configured. Waits until the server listens.
    ///
    /// - Throws: ``ListenerError`` if it cannot listen.
    public func boundAddress() async throws -> SocketAddress {
        try await bound.value()
    }

    /// Listens and serves until graceful shutdown, then drains: the listener is closed first, requests in flight get
    /// their responses, and connections that remain open after the deadline are closed. Cancellation closes everything
    /// at once.
    ///
    /// - Throws: ``ListenerError`` if it cannot listen.
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
        // The helper closes the listener itself. If it were already closed, the helper's shutdown would fail.
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
            // One read may contain many requests whose responses are far longer, so only a few are read at a time.
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

    /// Waits for shutdown while the TLS files and the keys of providers are watched. Returns `false` if the task was
    /// canceled instead.
    private func waitForShutdown() async -> Bool {
        await withTaskGroup(of: Void.self) { tasks in
            if let certificates {
                // It throws only when it is canceled; an invalid file is reported and ignored.
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
