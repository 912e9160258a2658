// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOPosix
import OIDCBrokerOperations
import OpenIDRelyingParty
import ServiceLifecycle
import TestingSupport

/// A listener for operators on 127.0.0.1 and a port of its own, for as long as a body runs.
struct RunningListener: Sendable {
    /// What a test may choose.
    struct Options: Sendable {
        var limits = OperationsLimits()
        var loops = EventLoopWatch(MultiThreadedEventLoopGroup.singleton)
        var sources: [OperationsSource] = []
        /// What writes the metrics; `nil` for ``RunningListener/metrics``.
        var exposition: (any MetricsExposition)?
        /// The host on which it listens, which leads to 127.0.0.1 or is 0.0.0.0.
        var host = "127.0.0.1"
        /// The clock of the metrics.
        var clock: any ElapsedClock = SystemElapsedClock()
        var report: @Sendable () -> HealthReport = {
            HealthReport(version: "1.2.3", uptimeSeconds: 42, configuration: nil, now: 1_800_000_000)
        }
    }

    let port: Int
    let readiness: ReadinessState
    let metrics: PrometheusMetrics
    private let services: ServiceGroup

    /// Asks for a path.
    func get(_ path: String, accept: String = "*/*") async throws -> OperatorResponse {
        try await OperatorConnection.get(path, port: port, accept: accept)
    }

    /// Begins to end.
    func beginGracefulShutdown() async { await services.triggerGracefulShutdown() }

    /// Runs a body against a listener, then stops it by graceful shutdown.
    static func run<Value: Sendable>(
        _ options: Options = Options(), _ body: (RunningListener) async throws -> Value
    ) async throws -> Value {
        let logger = WarningRecorder().logger
        let readiness = ReadinessState()
        let metrics = PrometheusMetrics(logger: logger)
        let endpoints = OperationsEndpoints(
            readiness: readiness, loops: options.loops, report: options.report,
            metrics: options.exposition ?? metrics,
            sources: options.sources, clock: options.clock)
        let listener = OperationsListener(
            host: options.host, port: 0, endpoints: endpoints, logger: logger, limits: options.limits)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [listener], logger: logger))
        let running = Task { try await services.run() }
        return try await attempt {
            let port = try await listener.boundAddress().port ?? 0
            let listener = RunningListener(port: port, readiness: readiness, metrics: metrics, services: services)
            return try await body(listener)
        } finally: {
            await services.triggerGracefulShutdown()
            try await running.value
        }
    }
}
