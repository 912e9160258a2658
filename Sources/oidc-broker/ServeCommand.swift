// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import Logging
    import NIOCore
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerServer
    import ServiceLifecycle
    import UnixSignals

    /// The command `oidc-broker serve`, the standalone server, which runs until SIGTERM or SIGINT.
    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Serve until SIGTERM or SIGINT, then drain and exit 0.",
            discussion: "Exit status 78: the configuration is wrong. 1: the server cannot listen or failed.")

        @OptionGroup var arguments: ConfigurationArguments

        func run() async throws {
            AllocatorCache.enlarge()
            let configuration = try await arguments.load()
            var logger = Logger(label: "oidc-broker")
            logger.logLevel = configuration.server.logLevel
            for warning in configuration.warnings { logger.warning("\(warning)") }
            for file in configuration.exposedSecretFiles { logger.warning("\(file)") }
            let group = MultiThreadedEventLoopGroup(numberOfThreads: UsableProcessors.count)
            do {
                try await Self.serve(configuration, on: group, logger: logger)
            } catch {
                StandardError.write("oidc-broker: \(error)")
                try? await group.shutdownGracefully()
                throw ExitCode.failure
            }
            try await group.shutdownGracefully()
        }

        /// Serves until a signal. The transport uses the server's event loops and outlives every request in flight.
        private static func serve(
            _ configuration: LoadedConfiguration, on group: MultiThreadedEventLoopGroup, logger: Logger
        ) async throws {
            try await configuration.server.providerTransport.withTransport(on: group) { transport in
                let accounts = try configuration.accounts.map {
                    try BrokerAccounts(configuration: $0, broker: configuration.broker, logger: logger)
                }
                let broker =
                    try accounts?.makeBroker(
                        configuration: configuration.broker, transport: transport, logger: logger)
                    ?? Broker(configuration: configuration.broker, transport: transport, logger: logger)
                let server = try BrokerServer(
                    configuration: configuration.server, broker: broker, eventLoopGroup: group, logger: logger)
                // The last one ends first: nothing is asked of a store that was closed.
                let services: [any Service] = (accounts.map { [$0] } ?? []) + [server]
                try await ServiceGroup(
                    services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
                ).run()
            }
        }
    }
#endif
