// SPDX-License-Identifier: Apache-2.0

import Admission
public import Logging
import NIOCertificateReloading
public import NIOCore
import NIOSSL
public import OIDCBroker
public import OIDCBrokerConfiguration
public import OIDCBrokerOperations
import OIDCBrokerRecords
public import ServiceLifecycle

/// The standalone server, which serves only the broker: TLS with HTTP/2 and HTTP/1.1, or plain HTTP/1.1 on a loopback
/// address, on a Unix domain socket, or for the proxies in front alone.
///
/// It is a service. Run it in a `ServiceGroup`, whose graceful shutdown drains it.
public final class BrokerServer: Service {
    private let configuration: ServerConfiguration
    private let broker: Broker
    private let eventLoopGroup: any EventLoopGroup
    private let logger: Logger
    private let accessLogger: Logger?
    private let limits: ListenerLimits
    private let certificates: TimedCertificateReloader?
    private let tls: NIOSSLContext?
    private let bound = BoundAddress()
    private let boundRedirect = BoundAddress()
    private let boundLoopback = BoundAddress()
    private let connections = OpenConnections()
    /// The configuration as of the last reload.
    package let live: LiveServerConfiguration

    /// Creates a server that does not listen yet. The TLS files are read here.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the listener.
    ///   - broker: The broker, with whose metrics system the server counts.
    ///   - eventLoopGroup: The event loops of the connections, which must be those of NIOPosix. The broker's transport
    ///     should use the same group.
    ///   - logger: The logger for listening, draining and certificates. The contents of requests are never logged.
    ///   - accessLogger: The logger of a line at `info` for each request, if `server.log.access` asks for them.
    ///   - expiries: What is told when the server's certificate ends, at the start and whenever it changed.
    /// - Throws: `BrokerConfigurationError` if the configuration cannot be served.
    public convenience init(
        configuration: ServerConfiguration,
        broker: Broker,
        eventLoopGroup: any EventLoopGroup,
        logger: Logger,
        accessLogger: Logger? = nil,
        expiries: ExpiryDates? = nil
    ) throws {
        try self.init(
            configuration: configuration, broker: broker, eventLoopGroup: eventLoopGroup, logger: logger,
            accessLogger: accessLogger, limits: ListenerLimits(), expiries: expiries)
    }

    /// Creates a server with other limits, for tests.
    package init(
        configuration: ServerConfiguration,
        broker: Broker,
        eventLoopGroup: any EventLoopGroup,
        logger: Logger,
        accessLogger: Logger? = nil,
        limits: ListenerLimits,
        expiries: ExpiryDates? = nil
    ) throws {
        self.accessLogger = accessLogger
        let errors = configuration.validate()
        guard errors.isEmpty else { throw BrokerConfigurationError(errors: errors) }
        self.configuration = configuration
        live = LiveServerConfiguration(configuration)
        self.broker = broker
        self.eventLoopGroup = eventLoopGroup
        self.logger = logger
        self.limits = limits
        certificates = try configuration.tls.map {
            try CertificateReload.reloader(
                $0, every: limits.certificateRefreshInterval, logger: logger, expiries: expiries)
        }
        tls = try certificates.map { try CertificateReload.context($0) }
    }

    /// Replaces what may change while the server runs, for every connection from now on: the proxies, the limits,
    /// `Strict-Transport-Security`, the access log and the delay of the drain. Values that need a restart stay as they
    /// are.
    /// - Throws: `BrokerConfigurationError` with every error, in which case nothing has changed.
    public func reload(_ configuration: ServerConfiguration) throws(BrokerConfigurationError) {
        var next = configuration
        _ = next.keepFixedValues(of: live.current)
        let errors = next.validateWithoutFiles()
        guard errors.isEmpty else { throw BrokerConfigurationError(errors: errors) }
        live.update(next)
    }

    /// The address in use, with the actual port if port 0 was configured; that of the Unix domain socket if there is one.
    /// Waits until the server listens.
    ///
    /// - Throws: ``ListenerError`` if it cannot listen.
    public func boundAddress() async throws -> SocketAddress {
        try await bound.value()
    }

    /// The address of the listener for redirects, with the actual port. Waits until it listens; forever if there is none.
    ///
    /// - Throws: ``ListenerError`` if the server cannot listen.
    package func boundRedirectAddress() async throws -> SocketAddress {
        try await boundRedirect.value()
    }

    /// The address of the loopback listener on IPv4, with the actual port. Waits until it listens; forever if there is
    /// none.
    ///
    /// - Throws: ``ListenerError`` if the server cannot listen.
    package func boundLoopbackAddress() async throws -> SocketAddress {
        try await boundLoopback.value()
    }

    /// How long connections are still accepted after the signal to end. The shutdown takes at least as long.
    public var drainDelay: Duration { live.current.drainDelay }

    /// The open connections by version of HTTP, and what clients hold of `server.memory-bytes`: `auth_connections`,
    /// `auth_memory_maximum_bytes`, and by row `auth_memory_bytes`, `auth_memory_limit_bytes`, `auth_memory_share_bytes` and
    /// `auth_memory_refused`.
    public var connectionSamples: OperationsSource {
        OperationsSource { [connections, broker] in
            let counts = connections.counts
            let memory = broker.memory
            func samples(
                _ name: String, isCounter: Bool = false, _ value: (HeldMemory) -> Int
            ) -> [MetricSample] {
                HeldMemory.allCases.map {
                    MetricSample(name, [("of", "\($0)")], Double(value($0)), isCounter: isCounter)
                }
            }
            var all = OpenConnections.Version.allCases.map {
                MetricSample("auth_connections", [("version", $0.rawValue)], Double(counts[$0] ?? 0))
            }
            all += samples("auth_memory_bytes") { memory.held($0) }
            all += samples("auth_memory_limit_bytes") { memory.bounds(of: $0).maximum }
            all += samples("auth_memory_share_bytes") { memory.bounds(of: $0).share }
            all += samples("auth_memory_refused", isCounter: true) { memory.refusals($0) }
            all.append(MetricSample("auth_memory_maximum_bytes", [], Double(memory.size)))
            return all
        }
    }

    /// Listens and serves until graceful shutdown, then drains: the listener is closed first, requests in flight get
    /// their responses, and connections that remain open after the deadline are closed. Cancellation closes everything
    /// at once.
    ///
    /// - Throws: ``ListenerError`` if it cannot listen.
    public func run() async throws {
        let sockets = try await listen()
        logger.info(
            "listening", metadata: ["auth.address": "\(sockets.main.address.text)", "auth.tls": "\(tls != nil)"])
        let memory = broker.memory.size
        logger.info(
            "memory for clients (server.memory-bytes)",
            metadata: [
                "auth.bytes": "\(memory)", "auth.idle_connections": "\(memory / HeldMemory.connectionBytes)",
            ])
        if let address = sockets.redirect?.address {
            logger.info("listening for redirects", metadata: ["auth.address": "\(address.text)", "auth.tls": "false"])
        }
        for socket in sockets.loopback?.sockets ?? [] {
            logger.info(
                "listening for SDKs and operators",
                metadata: ["auth.address": "\(socket.address.text)", "auth.tls": "false"])
        }
        broker.audit(AuditEvent(.started, outcome: "listening"))
        let isGraceful = await waitForShutdown()
        logger.info("draining", metadata: ["auth.graceful": "\(isGraceful)"])
        connections.drain()
        let eventLoop = sockets.main.eventLoop
        let drained = EventLoopFuture.andAllSucceed(
            [sockets.main.drain()] + (sockets.redirect.map { [$0.drain()] } ?? []) + (sockets.loopback?.drain() ?? []),
            on: eventLoop)
        let deadline = eventLoop.scheduleTask(in: isGraceful ? limits.drainDeadline : .zero) { [connections] in
            connections.close()
        }
        try await drained.get()
        deadline.cancel()
        logger.info("drained")
        broker.audit(AuditEvent(.stopped, outcome: isGraceful ? "drained" : "canceled"))
    }

    /// The sockets of a server.
    private typealias Sockets = (main: ListeningSocket, redirect: ListeningSocket?, loopback: LoopbackListener?)

    /// Listens, at its main address last: once that is bound, requests may be sent to all of them.
    private func listen() async throws(ListenerError) -> Sockets {
        let files = OpenFileLimit.current
        let kept =
            configuration.loopback.port == nil
            ? 0 : OpenFileLimit.places(of: files, wanted: limits.loopbackConnections)
        let connectionLimits = self.connectionLimits(of: files, keeping: kept)
        var redirect: ListeningSocket?
        var loopback: LoopbackListener?
        do throws(ListenerError) {
            if let port = configuration.redirectPort {
                let connection = RedirectConnectionInitializer(
                    broker: broker, limits: limits, connections: connections, connectionLimits: connectionLimits,
                    live: live, accessLogger: accessLogger, logger: logger)
                let socket = try await ListeningSocket.open(
                    .host(configuration.host, port: port), on: eventLoopGroup, logger: logger,
                    metricsFactory: broker.metricsFactory
                ) { connection.initialize($0) }
                redirect = socket
                boundRedirect.settle(.success(socket.address))
            }
            if let port = configuration.loopback.port {
                let places = ConnectionLimits(ofLoopback: kept, beside: connectionLimits)
                loopback = try await openLoopback(port: port, places)
            }
            let connection = ConnectionInitializer(
                broker: broker, limits: limits, tls: tls, connections: connections, live: live,
                connectionLimits: connectionLimits, accessLogger: accessLogger, logger: logger)
            let place: ListeningSocket.Place =
                if let path = configuration.unixSocket {
                    .unixSocket(path: path)
                } else {
                    .host(configuration.host, port: configuration.port)
                }
            let main = try await ListeningSocket.open(
                place, on: eventLoopGroup, logger: logger, metricsFactory: broker.metricsFactory
            ) {
                connection.initialize($0)
            }
            bound.settle(.success(main.address))
            return (main, redirect, loopback)
        } catch {
            // Nothing is served without the others.
            connections.close()
            for drained in (redirect.map { [$0.drain()] } ?? []) + (loopback?.drain() ?? []) {
                _ = try? await drained.get()
            }
            boundRedirect.settle(.failure(error))
            boundLoopback.settle(.failure(error))
            bound.settle(.failure(error))
            throw error
        }
    }

    private func openLoopback(
        port: Int, _ connectionLimits: ConnectionLimits
    ) async throws(ListenerError) -> LoopbackListener {
        let connection = LoopbackConnectionInitializer(
            broker: broker, limits: limits, connections: connections, connectionLimits: connectionLimits, live: live,
            accessLogger: accessLogger, logger: logger)
        let listener = try await LoopbackListener.open(
            port: port, on: eventLoopGroup, logger: logger, metricsFactory: broker.metricsFactory
        ) { connection.initialize($0) }
        if let address = listener.sockets.first?.address { boundLoopback.settle(.success(address)) }
        return listener
    }

    /// The limits on open connections. The maximum is what the limit on open files leaves room for.
    private func connectionLimits(of files: Int, keeping kept: Int) -> ConnectionLimits {
        let warning = OpenFileLimit.warning(
            configured: live.current.limits.connections, files: files, keeping: kept)
        if let warning { logger.warning("\(warning)") }
        return ConnectionLimits(
            live, memory: broker.memory, capacity: OpenFileLimit.connections(of: files, keeping: kept), logger: logger,
            metricsFactory: broker.metricsFactory)
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
