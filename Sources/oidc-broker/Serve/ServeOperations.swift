// SPDX-License-Identifier: Apache-2.0

#if Server
    import JOSE
    import Logging
    import Metrics
    import NIOCore
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerOperations
    import OIDCBrokerServer
    import OpenIDRelyingParty
    import ServiceLifecycle
    import SingleUse
    import Synchronization

    /// What operators and the service manager see of `serve`: metrics, health, and its phases.
    struct ServeOperations: Sendable {
        let readiness = ReadinessState()
        let expiries = ExpiryDates()
        let notification: ServiceNotification
        private let loops: EventLoopWatch
        private let metrics: PrometheusMetrics
        private let fingerprint = CurrentFingerprint()
        private let configuration: OperationsConfiguration
        private let logger: Logger
        private let began = NIODeadline.now()

        /// Creates everything but the listener.
        /// - Parameters:
        ///   - configuration: The configuration of the listener.
        ///   - metrics: The backend, which the metrics system uses already.
        ///   - group: The event loops of the server.
        ///   - environment: The environment, in which a service manager leaves the name of its socket.
        ///   - logger: The logger.
        init(
            _ configuration: OperationsConfiguration, metrics: PrometheusMetrics, group: MultiThreadedEventLoopGroup,
            environment: [String: String], logger: Logger
        ) {
            self.configuration = configuration
            self.metrics = metrics
            self.logger = logger
            loops = EventLoopWatch(group)
            notification = ServiceNotification(environment: environment, logger: logger)
        }

        /// Tells the service manager of a reload, but neither before the server is ready nor when it is ending.
        func beginReload() {
            if readiness.phase == .ready { notification.reloading() }
        }

        /// Tells the service manager that a reload is over.
        func endReload() {
            if readiness.phase == .ready { notification.ready() }
        }

        /// Notes the configuration that was last read and is valid.
        func use(_ configuration: LoadedConfiguration) {
            fingerprint.update(configuration.fingerprint)
            expiries.update(configuration.broker)
        }

        /// Returns the services that must go on while the server drains. List them before it.
        func services(broker: Broker, server: BrokerServer, accounts: BrokerAccounts?) -> [any Service] {
            [ServiceWatchdog(notification, loops: loops), FreedMemory(heldBy: broker.memory)]
                + listener(broker, server, accounts)
        }

        private func listener(
            _ broker: Broker, _ server: BrokerServer, _ accounts: BrokerAccounts?
        ) -> [any Service] {
            guard let port = configuration.port else { return [] }
            let clock = SystemUnixClock()
            var sources: [OperationsSource] = [
                .process, .build(version: Version.number, commit: Version.commit ?? "unknown"), .broker(broker),
                .configuration(fingerprint), .expiries(expiries, now: { clock.now() }), server.connectionSamples,
            ]
            if let accounts { sources.append(accounts.samples) }
            let endpoints = OperationsEndpoints(
                readiness: readiness, loops: loops,
                report: { [began, fingerprint, expiries] in
                    var report = HealthReport(
                        of: broker, version: Version.text,
                        uptimeSeconds: (NIODeadline.now() - began).nanoseconds / 1_000_000_000,
                        configuration: fingerprint.current, expiries: expiries)
                    report.accounts = accounts?.databaseStatus.rawValue
                    return report
                },
                metrics: metrics, sources: sources)
            return [
                OperationsListener(
                    host: configuration.host, port: port, endpoints: endpoints, logger: logger, metricsFactory: metrics)
            ]
        }
    }
#endif
