// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDRelyingParty
import ServiceLifecycle
import Testing
import TestingSupport

/// A `BrokerServer` on 127.0.0.1 and a port of its own, in a `ServiceGroup`, for as long as a body runs.
///
/// The public URL contains the port, which is known only when the server listens. The broker therefore starts with a
/// placeholder configuration and is reloaded with its real one before any connection, so no port has to be reserved.
struct RunningServer: Sendable {
    /// What a test may choose.
    struct Options: Sendable {
        /// TLS, and https in the public URL.
        var isSecure = true
        var limits = ListenerLimits()
        /// Changes the configuration of the listener, which has port 0 and the files of TLS.
        var configureServer: @Sendable (inout ServerConfiguration, TemporaryDirectory) -> Void = { _, _ in }
        /// The limits on who asks. All requests of a test come from one address, and few tests are about that.
        var requestLimits = RequestLimits.withoutRates
        var logger = Logger.quiet
        var clock: any UnixClock = SystemUnixClock()
        /// The transport; `nil` for one of ``transportKind`` on the server's own event loops.
        var transport: (any ProviderTransport)?
        var transportKind = ServerConfiguration.defaultProviderTransport
        var configuration: @Sendable (PublicURL) -> BrokerConfiguration = { publicURL in
            .test(publicURL: publicURL, apps: [AppClient.publicApp.configuration])
        }

        /// The logger of the lines about requests.
        var accessLogger: Logger?
        /// What makes the broker otherwise; `nil` for one without accounts.
        var making: Making?

        /// What makes the broker of a configuration, and gives it another one.
        struct Making: Sendable {
            var make: @Sendable (BrokerConfiguration, any ProviderTransport) throws -> Broker
            var reload: @Sendable (Broker, BrokerConfiguration) throws -> Void
        }

        /// Plain HTTP, and a provider that responds when the test lets it.
        static func plain(_ transport: StubTransport) -> Options {
            var options = Options()
            options.isSecure = false
            options.transport = transport
            return options
        }
    }

    /// The port in use; 1 for a Unix domain socket.
    let port: Int
    /// The server itself.
    let server: BrokerServer
    /// What it serves.
    let broker: Broker
    /// `https://localhost:PORT`, or http.
    let publicURL: PublicURL
    /// The server's certificate, which is its own trust root.
    let certificate: DevelopmentCertificate
    /// Where `certificate.pem` and `key.pem` are.
    let directory: TemporaryDirectory

    private let services: ServiceGroup
    private let running: Task<Void, any Error>

    /// The broker's issuer.
    var issuer: String { publicURL.origin + BrokerConfiguration.defaultPathPrefix }
    /// `localhost:PORT`.
    var authority: String { publicURL.authority }

    /// Runs a body against a server, then stops it by graceful shutdown.
    static func run<Value: Sendable>(
        _ options: Options = Options(), _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
        try await TemporaryDirectory.use { directory in
            try await options.transportKind.withTransport(on: eventLoops) { own in
                let server = try await start(options, options.transport ?? own, directory)
                return try await attempt {
                    try await body(server)
                } finally: {
                    await server.beginGracefulShutdown()
                    try await server.finish()
                }
            }
        }
    }

    /// Begins to drain, without waiting.
    func beginGracefulShutdown() async { await services.triggerGracefulShutdown() }

    /// Waits until `run()` has returned. Where the test runs out of time the server does too.
    func finish() async throws {
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            running.cancel()
        }
    }

    /// The event loops of servers, providers and clients.
    static var eventLoops: MultiThreadedEventLoopGroup { .singleton }

    private static func start(
        _ options: Options, _ transport: any ProviderTransport, _ directory: TemporaryDirectory
    ) async throws -> RunningServer {
        let certificate = try TestCertificate.shared()
        let scheme = options.isSecure ? "https" : "http"
        let standIn = try #require(PublicURL("\(scheme)://localhost:1"))
        let broker =
            try options.making?.make(options.configuration(standIn), transport)
            ?? Broker(
                configuration: options.configuration(standIn), transport: transport, clock: options.clock,
                elapsed: (options.clock as? TestClock)?.elapsed ?? SystemElapsedClock(),
                requestLimits: options.requestLimits, logger: options.logger)
        let files = try directory.write(certificate)
        var configuration = ServerConfiguration(port: 0, tls: options.isSecure ? files : nil)
        options.configureServer(&configuration, directory)
        let server = try BrokerServer(
            configuration: configuration, broker: broker, eventLoopGroup: eventLoops, logger: options.logger,
            accessLogger: options.accessLogger, limits: options.limits)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [server], logger: Logger.quiet))
        let running = Task { try await services.run() }
        let address = try await server.boundAddress()
        let port = address.port ?? 1
        let publicURL = try #require(PublicURL("\(scheme)://localhost:\(port)"))
        if let making = options.making {
            try making.reload(broker, options.configuration(publicURL))
        } else {
            try broker.reload(options.configuration(publicURL))
        }
        return RunningServer(
            port: port, server: server, broker: broker, publicURL: publicURL, certificate: certificate,
            directory: directory,
            services: services,
            running: running)
    }
}
