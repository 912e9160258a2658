// SPDX-License-Identifier: Apache-2.0

import Configuration
import Logging
import Metrics
import NIOPosix
import NIOSSL
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import ServiceLifecycle
import UnixSignals

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A process with one of the example servers, which is configured by the environment.
public enum ExampleProcess {
    /// Runs a server until SIGTERM or SIGINT. At SIGHUP, the files that the configuration names are read anew.
    /// - Throws: An error of the listener or of the transport.
    public static func run<Server: ExampleServer>(_ type: Server.Type, named label: String) async throws {
        // These are the process's own: what a log and metrics are written to, its event loops, and its signals.
        let logger = Logger(label: label)
        let group = MultiThreadedEventLoopGroup.singleton
        let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let (configurations, reloading) = AsyncStream.makeStream(of: BrokerConfiguration.self)

        let services: ServiceGroup
        let signals: Task<Void, Never>
        do {
            let parts = ExampleParts(
                eventLoopGroup: group, transport: transport, logger: logger,
                auditLogger: Logger(label: "auth.audit"), metrics: MetricsSystem.factory,
                tls: try tls(config), port: config.int(forKey: "server.port", default: 8443),
                configurations: configurations,
                onListening: { logger.info("Listening", metadata: ["address": "\(String(describing: $0))"]) })
            let server = try Server(configuration: try await BrokerConfiguration(config: config), parts: parts)
            services = parts.makeServiceGroup(server, endsAt: [.sigterm, .sigint])
            signals = Task {
                for await _ in await UnixSignalsSequence(trapping: .sighup) {
                    do {
                        reloading.yield(try await BrokerConfiguration(config: config))
                    } catch {
                        logger.error("The configuration was not reloaded:\n\(error)")
                    }
                }
            }
        } catch {
            logger.critical("The configuration is not usable:\n\(error)")
            exit(78)
        }
        try await services.run()
        signals.cancel()
        try await transport.shutdown()
    }

    private static func tls(_ config: ConfigReader) throws -> TLSConfiguration {
        let chain = try NIOSSLCertificate.fromPEMFile(
            try config.requiredString(forKey: "server.tls.certificate-chain"))
        let key = try NIOSSLPrivateKey(
            file: try config.requiredString(forKey: "server.tls.private-key"), format: .pem)
        return TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    }
}
