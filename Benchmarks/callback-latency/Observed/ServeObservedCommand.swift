// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

#if Server
    import Logging
    import Metrics
    import NIOCore
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerOperations
    import OIDCBrokerServer
    import ServiceLifecycle
    import UnixSignals
#endif

/// The command `callback-latency serve-observed`, which runs the broker with the log of `oidc-broker serve`, and with
/// its metrics and a tracer only if they are asked for.
///
/// `oidc-broker serve` always counts and never traces, so it cannot show what either costs. The access log, the audit
/// and the limits are those of the configuration, which is read from the environment.
struct ServeObservedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve-observed",
        abstract: "Serve the broker until SIGTERM, with what an operator may switch on; operations-cost uses it.",
        shouldDisplay: false)

    @Flag(help: "With the metrics of oidc-broker serve; otherwise nothing is counted.")
    var metrics = false

    @Option(help: ArgumentHelp("With a tracer that records this share of the requests.", valueName: "share"))
    var traced: Double?

    func validate() throws {
        if let traced, !(traced > 0 && traced <= 1) { throw ValidationError("traced is above 0, up to 1") }
    }

    #if Server
        func run() async throws {
            let sources = try await ConfigurationSources()
            let loaded = try await sources.load()
            let backend = metrics ? PrometheusMetrics() : nil
            // Whatever makes a metric from here on makes it there.
            if let backend { MetricsSystem.bootstrap(backend) }
            let log = MainLog(.json, level: LogLevel(loaded.server.log.level))
            let logger = log.logger(label: "oidc-broker")
            let audit = try loaded.server.log.audit.map { try AuditLog(path: $0, log: logger) }
            let tracer = traced.map { SamplingTracer(share: $0) }
            let group = MultiThreadedEventLoopGroup(numberOfThreads: UsableProcessors.count)
            do {
                try await loaded.server.providerTransport.withTransport(on: group) { transport in
                    let broker = try Broker(
                        configuration: loaded.broker, transport: transport,
                        requestLimits: loaded.server.limits.requestLimits, logger: logger,
                        auditLogger: audit?.logger(), tracer: tracer)
                    log.count(in: broker.memory)
                    audit?.count(in: broker.memory)
                    let server = try BrokerServer(
                        configuration: loaded.server, broker: broker, eventLoopGroup: group, logger: logger,
                        accessLogger: Self.accessLogger(of: log))
                    var services: [any Service] = [server]
                    if let backend, let port = loaded.server.operations.port {
                        let endpoints = Self.endpoints(backend, of: broker, server, watching: group)
                        services.insert(
                            OperationsListener(
                                host: loaded.server.operations.host, port: port, endpoints: endpoints, logger: logger),
                            at: 0)
                    }
                    try await ServiceGroup(
                        services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
                    ).run()
                }
            } catch {
                try? await group.shutdownGracefully()
                throw error
            }
            try await group.shutdownGracefully()
            if let tracer { logger.notice("spans were recorded", metadata: ["count": "\(tracer.count)"]) }
            audit?.end(within: .seconds(5))
            log.end(within: .seconds(5))
        }

        /// The logger of a line for each request, which are written whatever the level of the others is.
        private static func accessLogger(of log: MainLog) -> Logger {
            var logger = log.logger(label: "auth.access")
            logger.logLevel = .info
            return logger
        }

        /// What the listener for operators answers.
        private static func endpoints(
            _ backend: PrometheusMetrics, of broker: Broker, _ server: BrokerServer,
            watching group: MultiThreadedEventLoopGroup
        ) -> OperationsEndpoints {
            let readiness = ReadinessState()
            readiness.becomeReady()
            let expiries = ExpiryDates()
            return OperationsEndpoints(
                readiness: readiness, loops: EventLoopWatch(group),
                report: {
                    HealthReport(of: broker, version: "", uptimeSeconds: 0, configuration: nil, expiries: expiries)
                },
                metrics: backend, sources: [.process, .broker(broker), server.connectionSamples])
        }
    #else
        func run() async throws { throw LatencyToolError("built without the Server trait") }
    #endif
}
