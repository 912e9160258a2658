// SPDX-License-Identifier: Apache-2.0

public import Logging
public import Metrics
public import OIDCBroker
public import OIDCBrokerConfiguration
import OIDCBrokerRecords
public import ServiceLifecycle

/// What a broker in another server does besides responding to requests: it watches the files of Apple's keys, and takes
/// each new configuration that the server hands it.
///
/// It is a service for the server's `ServiceGroup`. `BrokerServer` of the module `OIDCBrokerServer` does all of this
/// itself and needs none.
///
/// It touches nothing global: it traps no signal, bootstraps no log and no metrics, and opens no socket.
///
/// ```swift
/// let service = BrokerService(broker, configurations: configurations, logger: logger)
/// let group = ServiceGroup(services: [service, server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// A configuration that is valid as a whole is applied in one step by `Broker.reload(_:)`, and requests in flight finish
/// under the one that they began with. One that is not changes nothing: it is logged with every error. A configuration
/// that is the one in use already is passed over. Both others are counted by `auth_reloads`, and
/// `auth_configuration_valid` says what became of the last one.
///
/// A broker with accounts is reloaded by `BrokerAccounts` of the module `OIDCBrokerServer` instead, since both change in
/// one step.
public final class BrokerService: Service {
    /// The time between two looks at the files of Apple's keys.
    public static let defaultKeyInterval = Duration.seconds(30)

    private let broker: Broker
    private let keys: AppleKeyReload
    private let logger: Logger
    private let metrics: ReloadMetrics
    private let forEachConfiguration: @Sendable (@Sendable (BrokerConfiguration) -> Void) async throws -> Void

    /// Creates the service of a broker whose configuration stays as it is.
    ///
    /// - Parameters:
    ///   - broker: The broker.
    ///   - keyInterval: The time between two looks at the files of Apple's keys.
    ///   - logger: The logger. No value of a configuration is logged.
    ///   - metricsFactory: What makes the counters; `nil` for the one that `MetricsSystem` is bootstrapped with.
    public convenience init(
        _ broker: Broker, keyInterval: Duration = BrokerService.defaultKeyInterval, logger: Logger,
        metricsFactory: (any MetricsFactory)? = nil
    ) {
        self.init(
            broker, configurations: AsyncStream<BrokerConfiguration> { $0.finish() }, keyInterval: keyInterval,
            logger: logger, metricsFactory: metricsFactory)
    }

    /// Creates the service of a broker whose configuration is replaced while it runs.
    ///
    /// - Parameters:
    ///   - broker: The broker.
    ///   - configurations: The configurations, in the order in which they are to be used. If the sequence ends or fails,
    ///     the last one stays in use.
    ///   - keyInterval: The time between two looks at the files of Apple's keys.
    ///   - logger: The logger. No value of a configuration is logged.
    ///   - metricsFactory: What makes the counters; `nil` for the one that `MetricsSystem` is bootstrapped with.
    public init<Configurations: AsyncSequence & Sendable>(
        _ broker: Broker, configurations: Configurations,
        keyInterval: Duration = BrokerService.defaultKeyInterval, logger: Logger,
        metricsFactory: (any MetricsFactory)? = nil
    ) where Configurations.Element == BrokerConfiguration {
        self.broker = broker
        keys = AppleKeyReload(broker: broker, interval: keyInterval, logger: logger)
        self.logger = logger
        metrics = ReloadMetrics(factory: metricsFactory ?? MetricsSystem.factory)
        forEachConfiguration = { body in
            for try await configuration in configurations { body(configuration) }
        }
    }

    /// Does all of it until graceful shutdown or cancellation.
    public func run() async {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask { await self.keys.run() }
                tasks.addTask { await self.takeConfigurations() }
                // The keys are watched until the task is canceled, even if no more configurations come.
                await tasks.waitForAll()
            }
        }
    }

    private func takeConfigurations() async {
        do {
            try await forEachConfiguration { self.take($0) }
        } catch is CancellationError {
            // The server ends.
        } catch {
            // The description of the server's own error may contain anything.
            logger.error(
                "configuration reload stopped: the active configuration stays until a restart",
                metadata: ["auth.error": "\(type(of: error))"])
        }
    }

    private func take(_ configuration: BrokerConfiguration) {
        let inUse = broker.configuration
        var next = configuration
        next.keepMadeKeys(of: inUse)
        guard !next.behaves(as: inUse) else {
            metrics.setValid(true)
            return
        }
        do throws(BrokerConfigurationError) {
            try broker.reload(next)
            metrics.countApplied()
            metrics.setValid(true)
            logger.notice(
                "configuration reloaded",
                metadata: ["auth.changed": "\(next.changedNames(since: inUse).joined(separator: ", "))"])
        } catch {
            metrics.countRefused()
            metrics.setValid(false)
            broker.audit(AuditEvent(.reload, outcome: "refused"))
            logger.logRefusal(error)
        }
    }
}
