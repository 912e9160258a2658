// SPDX-License-Identifier: Apache-2.0

public import Logging
public import Metrics
public import NIOCore
import NIOHTTP1
import NIOPosix
import OIDCBrokerHTTP
import OpenIDRelyingParty
public import ServiceLifecycle

/// The listener for operators: plain HTTP/1.1 with `/healthz`, `/readyz` and `/metrics`. Every client that can connect
/// can read them, so it belongs on a loopback address or on a network of operators.
///
/// So that no page in an operator's browser reads them, `Host` must be an IP address, `localhost`, or the host on which
/// it listens; on a connection to an address other than a loopback one it may also be a name without a dot, or below
/// `internal`, `local`, `localhost` or `svc`. A request with any other `Host` is answered with 421.
///
/// It has an event loop of its own, so that it answers while those of the server are stuck. It is a service: list it
/// before the server in a `ServiceGroup`, so that it ends after the server has drained.
public final class OperationsListener: Service {
    private let host: String
    private let port: Int
    private let endpoints: OperationsEndpoints
    private let logger: Logger
    private let limits: OperationsLimits
    private let metricsFactory: (any MetricsFactory)?
    private let bound = BoundAddress()

    /// Creates a listener that does not listen yet.
    /// - Parameters:
    ///   - host: The address or host name to listen on.
    ///   - port: The port; 0 for any free one.
    ///   - endpoints: What it answers.
    ///   - logger: The logger for listening.
    ///   - metricsFactory: What makes the counter of connections that cannot be accepted; `nil` for the one that
    ///     `MetricsSystem` is bootstrapped with.
    public convenience init(
        host: String, port: Int, endpoints: OperationsEndpoints, logger: Logger,
        metricsFactory: (any MetricsFactory)? = nil
    ) {
        self.init(
            host: host, port: port, endpoints: endpoints, logger: logger, metricsFactory: metricsFactory,
            limits: OperationsLimits())
    }

    /// Creates a listener with other limits, for tests.
    package init(
        host: String, port: Int, endpoints: OperationsEndpoints, logger: Logger,
        metricsFactory: (any MetricsFactory)? = nil, limits: OperationsLimits
    ) {
        self.host = host
        self.port = port
        self.endpoints = endpoints
        self.logger = logger
        self.metricsFactory = metricsFactory
        self.limits = limits
    }

    /// The address in use, with the actual port if port 0 was asked for. Waits until the listener listens.
    ///
    /// - Throws: ``OperationsListenerError`` if it cannot listen.
    public func boundAddress() async throws -> SocketAddress {
        try await bound.value()
    }

    /// Listens until graceful shutdown or cancellation, then closes everything at once.
    ///
    /// - Throws: ``OperationsListenerError`` if it cannot listen.
    public func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let connections = OperationsConnections(maximum: limits.connections)
        do {
            let listener = try await listen(on: group, connections)
            // It ends likewise when it is canceled.
            try? await gracefulShutdown()
            try? await listener.close()
            connections.close()
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try await group.shutdownGracefully()
    }

    private func listen(
        on group: MultiThreadedEventLoopGroup, _ connections: OperationsConnections
    ) async throws -> any Channel {
        let factory = metricsFactory ?? MetricsSystem.factory
        let hosts = OperationsHosts(configured: host)
        let scrapes = OperationsConnections(maximum: limits.metricsResponses)
        let date = ResponseDate(clock: SystemUnixClock())
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    try AcceptErrorHandler.add(to: channel, logger: logger, metricsFactory: factory)
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A client that closes its side with its request still gets a response.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { [endpoints, limits] channel in
                channel.eventLoop.makeCompletedFuture {
                    connections.add(channel)
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(HTTPResponseEncoder())
                    try pipeline.addHandler(
                        ByteToMessageHandler(
                            HTTPRequestDecoder(
                                leftOverBytesStrategy: .dropBytes, limitConfiguration: limits.decoder)))
                    try pipeline.addHandler(
                        OperationsHandler(
                            endpoints: endpoints, hosts: hosts, scrapes: scrapes, deadline: limits.deadline,
                            date: date))
                }
            }
        do {
            let channel = try await bootstrap.bind(host: host, port: port).get()
            guard let address = channel.localAddress else { throw OperationsListenerError.noAddress }
            logger.info("listening for operators", metadata: ["auth.address": "\(address.text)"])
            bound.settle(.success(address))
            return channel
        } catch {
            let error = error as? OperationsListenerError ?? .cannotListen(host: host, port: port, reason: error)
            bound.settle(.failure(error))
            throw error
        }
    }
}
