// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import Foundation
    import Logging
    import NIOCore
    import NIOPosix
    import OIDCBrokerOperations
    import ServiceLifecycle
    import Testing
    import TestingSupport

    @testable import oidc_broker

    /// `oidc-broker healthcheck` against a real listener.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct HealthCheckCommandTests {
        /// Runs a body with the port of a listener.
        private static func withListener(
            _ body: (_ port: Int, _ readiness: ReadinessState) async throws -> Void
        ) async throws {
            let logger = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
            let readiness = ReadinessState()
            let listener = OperationsListener(
                host: "127.0.0.1", port: 0,
                endpoints: OperationsEndpoints(
                    readiness: readiness, loops: EventLoopWatch(MultiThreadedEventLoopGroup.singleton),
                    report: { HealthReport(version: "1", uptimeSeconds: 1, configuration: nil, now: 1) },
                    metrics: PrometheusMetrics(logger: logger)), logger: logger)
            let services = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [listener], logger: logger))
            let running = Task { try await services.run() }
            try await attempt {
                let port = try await listener.boundAddress().port ?? 0
                try await body(port, readiness)
            } finally: {
                await services.triggerGracefulShutdown()
                try await running.value
            }
        }

        private static func run(_ arguments: [String]) async throws {
            let command = try HealthCheckCommand.parse(arguments)
            try await command.run()
        }

        @Test func `health, and readiness with --ready, by the URL and by the configuration's port`() async throws {
            try await Self.withListener { port, readiness in
                for place in [
                    ["--url", "http://127.0.0.1:\(port)"], ["--url", "http://localhost:\(port)/"],
                    ["--server-operations-port", "\(port)"],
                    ["--server-operations-port=\(port)", "--server-operations-host", "0.0.0.0"],
                ] {
                    try await Self.run(place)
                }
                let place = ["--url", "http://127.0.0.1:\(port)", "--ready"]
                await #expect(throws: ExitCode.failure) { try await Self.run(place) }
                readiness.becomeReady()
                try await Self.run(place)
                readiness.beginDraining()
                await #expect(throws: ExitCode.failure) { try await Self.run(place) }
            }
        }

        @Test func `a configuration that is not valid otherwise does not matter`() async throws {
            try await Self.withListener { port, _ in
                let file = FileManager.default.temporaryDirectory.appending(path: "oidc-\(UUID().uuidString).yaml")
                let text = "auth:\n  publik-url: wrong\nserver:\n  operations:\n    port: \(port)\n"
                try text.write(to: file, atomically: true, encoding: .utf8)
                defer { try? FileManager.default.removeItem(at: file) }
                try await Self.run(["--config", file.path])
            }
        }

        @Test(arguments: [
            [], ["--server-operations-port", "0"], ["--server-operations-port", "65536"],
            ["--server-operations-port", "a"], ["--config", "/nobody/is/here.yaml"],
            // There is no listener on the port of discard.
            ["--url", "http://127.0.0.1:9"],
        ])
        func `no listener to be found`(arguments: [String]) async throws {
            await #expect(throws: ExitCode.failure) { try await Self.run(arguments) }
        }

        @Test(arguments: [
            "127.0.0.1:9090", "ftp://127.0.0.1", "http://127.0.0.1:9090/healthz", "http://127.0.0.1?x", "http://",
        ])
        func `a URL that is no origin is an error of usage`(url: String) {
            #expect(throws: (any Error).self) { try HealthCheckCommand.parse(["--url", url]) }
        }

        @Test func `a listener that never answers is not waited for`() async throws {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(server.localAddress?.port)
            await #expect(throws: ExitCode.failure) { try await Self.run(["--url", "http://127.0.0.1:\(port)"]) }
            try await server.close()
        }

        @Test(arguments: [
            ("127.0.0.1", "http://127.0.0.1:9"), ("0.0.0.0", "http://127.0.0.1:9"), ("::", "http://[::1]:9"),
            ("fd00::1", "http://[fd00::1]:9"), ("localhost", "http://localhost:9"),
        ])
        func `the origin of a host`(host: String, origin: String) {
            #expect(HealthCheckCommand.origin(host: host, port: 9) == origin)
        }
    }
#endif
