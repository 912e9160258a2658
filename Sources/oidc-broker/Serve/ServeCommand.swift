// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import Logging
    import Metrics
    import NIOCore
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerOperations
    import OIDCBrokerServer
    import OpenIDRelyingParty
    import ServiceLifecycle
    import UnixSignals

    /// The command `oidc-broker serve`, the standalone server, which runs until SIGTERM or SIGINT.
    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Run the server until SIGTERM or SIGINT, then finish requests in flight and exit with 0.",
            discussion: """
                Changed configuration files are applied within seconds, or at once on SIGHUP. If they have errors, the old \
                configuration stays active. A second SIGTERM or SIGINT ends the process at once.
                Exit status 78: invalid configuration. 1: the server cannot listen, failed, or was ended at once.

                Example: oidc-broker serve --config broker.yaml
                """)

        @OptionGroup var arguments: ConfigurationArguments

        func run() async throws {
            OpenFileLimit.raise()
            // From here on the signal does not end the process.
            let hangups = await UnixSignalsSequence(trapping: .sighup)
            let ending = await EndingSignals()
            let location = arguments.location
            let configuration = try await arguments.load()
            // Whatever makes a metric from here on makes it there.
            let metrics = PrometheusMetrics()
            MetricsSystem.bootstrap(metrics)
            let logs: ServeLogs
            do throws(LogFailure) {
                logs = try ServeLogs(configuration.server.log)
            } catch {
                let path = configuration.server.log.audit ?? ""
                StandardError.write("oidc-broker: server.log.audit: cannot write to '\(path)': \(error.reason)")
                throw ExitCode.failure
            }
            let logger = logs.logger
            metrics.log(to: logger)
            for warning in configuration.warnings { logger.warning("\(warning)") }
            for finding in configuration.exposedSecretFiles
                + configuration.expiryFindings(now: SystemUnixClock().now())
            { logger.warning("\(finding)") }
            let group = MultiThreadedEventLoopGroup(numberOfThreads: UsableProcessors.count)
            let operations = ServeOperations(
                configuration.server.operations, metrics: metrics, group: group, environment: location.environment,
                logger: logger)
            let watching = Task {
                await ending.watch { logs.end(within: .milliseconds(500)) }
            }
            defer { watching.cancel() }
            do {
                try await serve(
                    configuration, location, hangups, ending, on: group, logs: logs, operations: operations)
            } catch {
                logs.end(within: ServeLogs.patience)
                StandardError.write("oidc-broker: \(error)")
                try? await group.shutdownGracefully()
                throw ExitCode.failure
            }
            try await group.shutdownGracefully()
            logs.end(within: ServeLogs.patience)
        }

        /// Serves until a signal. The transport uses the server's event loops and outlives every request in flight.
        private func serve(
            _ configuration: LoadedConfiguration, _ location: ConfigurationLocation, _ hangups: UnixSignalsSequence,
            _ ending: EndingSignals, on group: MultiThreadedEventLoopGroup, logs: ServeLogs, operations: ServeOperations
        ) async throws {
            let logger = logs.logger
            try await configuration.server.providerTransport.withTransport(on: group) { transport in
                let accounts = try configuration.accounts.map {
                    try BrokerAccounts(
                        configuration: $0, broker: configuration.broker, storeConfiguration: configuration.store,
                        logger: logger)
                }
                let store = try configuration.store.open(logger: logger)
                let requestLimits = configuration.server.limits.requestLimits
                let broker =
                    try accounts?.makeBroker(
                        configuration: configuration.broker, transport: transport, stores: store?.stores,
                        requestLimits: requestLimits, logger: logger, auditLogger: logs.audit)
                    ?? Broker(
                        configuration: configuration.broker, transport: transport, stores: store?.stores,
                        requestLimits: requestLimits, logger: logger, auditLogger: logs.audit)
                logs.count(in: broker.memory)
                let server = try BrokerServer(
                    configuration: configuration.server, broker: broker, eventLoopGroup: group, logger: logger,
                    accessLogger: logs.access, expiries: operations.expiries)
                operations.use(configuration)
                let reload = ConfigurationReload(
                    of: configuration, from: location, broker: broker, accounts: accounts, server: server, store: store,
                    signals: hangups.map { _ in logs.reopen() }, logger: logger,
                    observer: observer(logs: logs, operations: operations))
                do {
                    try await run(accounts, reload, server, of: broker, on: group, operations, ending, logger: logger)
                } catch {
                    await store?.shutdown()
                    throw error
                }
                await store?.shutdown()
            }
        }

        private func run(
            _ accounts: BrokerAccounts?, _ reload: ConfigurationReload, _ server: BrokerServer, of broker: Broker,
            on group: MultiThreadedEventLoopGroup, _ operations: ServeOperations, _ ending: EndingSignals,
            logger: Logger
        ) async throws {
            // They end in the reverse order: nothing is asked of a store that was closed.
            let opened: [any Service] = accounts.map { [$0] } ?? []
            let announcement = ReadinessAnnouncement(
                server: server,
                reachesStore: {
                    try await broker.reachStore(on: group.any())
                    try await accounts?.reachDatabase()
                },
                readiness: operations.readiness, notification: operations.notification)
            let services: [any Service] =
                operations.services(broker: broker, server: server, accounts: accounts) + opened
                + [reload, server, announcement]
            let running = ServiceGroup(services: services, logger: logger)
            await ending.onFirst { await running.triggerGracefulShutdown() }
            try await running.run()
        }

        private func observer(logs: ServeLogs, operations: ServeOperations) -> ReloadObserver {
            ReloadObserver(
                willRead: { operations.beginReload() },
                didRead: { operations.endReload() },
                didApply: { configuration in logs.level.change(to: configuration.server.log.level) },
                didUse: { configuration in operations.use(configuration) })
        }
    }
#endif
