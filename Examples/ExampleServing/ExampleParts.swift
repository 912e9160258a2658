// SPDX-License-Identifier: Apache-2.0

public import ExampleSite
public import Logging
public import Metrics
public import NIOCore
public import NIOSSL
public import OIDCBroker
public import OIDCBrokerConfiguration
import OIDCBrokerOperations
public import OpenIDRelyingParty
public import ServiceLifecycle
public import UnixSignals

/// What a server has of its own and hands to the broker. The broker creates none of it, and bootstraps nothing.
public struct ExampleParts: Sendable {
    /// The event loops of the server, on which the broker runs too.
    public var eventLoopGroup: any EventLoopGroup
    /// The transport of the broker's requests to providers.
    public var transport: any ProviderTransport
    /// The logger of the server and the broker.
    public var logger: Logger
    /// The logger of the broker's audit.
    public var auditLogger: Logger
    /// What makes counters and timers.
    public var metrics: any MetricsFactory
    /// The limits on who asks.
    public var requestLimits: RequestLimits
    /// The server's certificate.
    public var tls: TLSConfiguration
    /// The port on 127.0.0.1; 0 for a free one.
    public var port: Int
    /// The configurations that replace the first one.
    public var configurations: AsyncStream<BrokerConfiguration>
    /// Called when the server listens.
    public var onListening: @Sendable (SocketAddress?) -> Void

    /// Creates the parts of a server.
    public init(
        eventLoopGroup: any EventLoopGroup, transport: any ProviderTransport, logger: Logger, auditLogger: Logger,
        metrics: any MetricsFactory, requestLimits: RequestLimits = RequestLimits(), tls: TLSConfiguration,
        port: Int, configurations: AsyncStream<BrokerConfiguration>,
        onListening: @escaping @Sendable (SocketAddress?) -> Void
    ) {
        self.eventLoopGroup = eventLoopGroup
        self.transport = transport
        self.logger = logger
        self.auditLogger = auditLogger
        self.metrics = metrics
        self.requestLimits = requestLimits
        self.tls = tls
        self.port = port
        self.configurations = configurations
        self.onListening = onListening
    }

    /// Makes the broker of a server that keeps its visitors signed in itself.
    /// - Throws: `BrokerConfigurationError` with every error.
    public func makeBroker(_ configuration: BrokerConfiguration, sessions: Sessions) throws -> Broker {
        try Broker(
            configuration: configuration, transport: transport,
            signInHandlers: ["site": SignInHandler { sessions.begin($0) }], requestLimits: requestLimits,
            logger: logger, auditLogger: auditLogger, metricsFactory: metrics)
    }

    /// Makes the group of a server and of what its broker does in the background.
    public func makeServiceGroup(_ server: any ExampleServer, endsAt signals: [UnixSignal] = []) -> ServiceGroup {
        let background = BrokerService(
            server.broker, configurations: configurations, logger: logger, metricsFactory: metrics)
        return ServiceGroup(services: [background, server], gracefulShutdownSignals: signals, logger: logger)
    }
}

/// A server that embeds the broker.
public protocol ExampleServer: Service {
    /// The broker.
    var broker: Broker { get }

    /// Creates a server that does not listen yet.
    /// - Throws: `BrokerConfigurationError`, or an error of TLS.
    init(configuration: BrokerConfiguration, parts: ExampleParts) throws
}
