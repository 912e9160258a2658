// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

#if Server
    import NIOCore
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerOperations
    import OIDCBrokerServer
    import ServiceLifecycle
    import UnixSignals
#endif

/// The command `callback-latency serve`, which runs the broker as `oidc-broker serve` does, configured only by the
/// environment.
///
/// It is for a build of this tool without `oidc-broker`. The modules are the same.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the broker until SIGTERM; used where oidc-broker was not built.",
        discussion: """
            The environment is the whole configuration, with the variables that oidc-broker reads.

            Example: callback-latency serve
            """,
        shouldDisplay: false)

    #if Server
        func run() async throws {
            let sources = try await ConfigurationSources()
            let configuration = try await sources.load()
            let log = MainLog(.json, level: LogLevel(configuration.server.log.level))
            let logger = log.logger(label: "oidc-broker")
            let group = MultiThreadedEventLoopGroup(numberOfThreads: UsableProcessors.count)
            do {
                try await configuration.server.providerTransport.withTransport(on: group) { transport in
                    let accounts = try configuration.accounts.map {
                        try BrokerAccounts(
                            configuration: $0, broker: configuration.broker, storeConfiguration: configuration.store,
                            logger: logger)
                    }
                    let requestLimits = configuration.server.limits.requestLimits
                    let broker =
                        try accounts?.makeBroker(
                            configuration: configuration.broker, transport: transport, requestLimits: requestLimits,
                            logger: logger)
                        ?? Broker(
                            configuration: configuration.broker, transport: transport, requestLimits: requestLimits,
                            logger: logger)
                    log.count(in: broker.memory)
                    let server = try BrokerServer(
                        configuration: configuration.server, broker: broker, eventLoopGroup: group, logger: logger)
                    // The last one ends first: nothing is asked of a store that was closed.
                    let services: [any Service] = (accounts.map { [$0] } ?? []) + [server]
                    try await ServiceGroup(
                        services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
                    ).run()
                }
            } catch {
                try? await group.shutdownGracefully()
                throw error
            }
            try await group.shutdownGracefully()
            log.end(within: .seconds(5))
        }
    #else
        func run() async throws { throw LatencyToolError("built without the Server trait") }
    #endif
}
