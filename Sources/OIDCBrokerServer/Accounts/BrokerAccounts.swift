// SPDX-License-Identifier: Apache-2.0

public import Accounts
import IdentityToolkit
import JOSE
public import Logging
public import Metrics
import NIOPosix
public import OIDCBroker
public import OIDCBrokerConfiguration
import OIDCBrokerHTTP
public import OIDCBrokerOperations
import OIDCBrokerRecords
public import OpenIDRelyingParty
public import ServiceLifecycle
package import SingleUse
public import Signing
import Synchronization
public import Tracing

/// The accounts beside a broker: their store, the operations on them, the wire of the SDKs, and the sweeping of what has
/// expired.
///
/// It is a service. Run it in a `ServiceGroup` before the server, so that it ends after the server has drained.
public final class BrokerAccounts: Service {
    /// The operations on accounts, for the embedding server, under the configuration that is in use now. It is a value:
    /// read it once for each request.
    public var service: AccountService { inUse.withLock { $0.toolkit.service } }

    /// A configuration, and what was made of it.
    private struct InUse: Sendable {
        let configuration: AccountsConfiguration
        /// The wire of the SDKs. A request uses the one that is in the snapshot of the broker.
        let toolkit: IdentityToolkit
    }

    private let inUse: Mutex<InUse>
    /// What does not depend on the configuration.
    private let dependencies: Dependencies
    private let sweeping: AccountSweeping
    private let probe: AccountStoreProbe
    /// What delivers events.
    let events: AccountEventDelivery
    /// What delivers logout tokens.
    var logoutQueues: LogoutQueues { dependencies.logoutQueues }
    private let waiting: (@Sendable () -> (writes: Int, reads: Int))?
    private let close: @Sendable () async throws -> Void

    /// Whether the database answers (`auth_database_up`), and the transactions that wait in the store
    /// (`auth_database_waiting`), 0 if the store does not report them, and the events that wait
    /// (`auth_account_events_waiting`) if there is a listener.
    public var samples: OperationsSource {
        OperationsSource { [waiting, events, store = probe.store] in
            let isUp = MetricSample("auth_database_up", [], store.status == .reached ? 1 : 0)
            guard let waiting = waiting?() else { return [isUp] + events.samples }
            return [isUp] + events.samples
                + [("write", waiting.writes), ("read", waiting.reads)].map {
                    MetricSample("auth_database_waiting", [("mode", $0.0)], Double($0.1))
                }
        }
    }

    /// Opens the accounts of a configuration. It blocks while the database is opened: call it while the process starts.
    /// - Parameters:
    ///   - configuration: The configuration of the accounts.
    ///   - broker: The configuration of the broker that is made by ``makeBroker(configuration:transport:stores:clock:elapsed:notificationHandler:signInHandlers:signingExecutor:requestLimits:logger:auditLogger:metricsFactory:tracer:)``.
    ///   - storeConfiguration: The configuration of the store that replicas share, in whose server of PostgreSQL the
    ///     accounts are kept if ``AccountsConfiguration/database`` says so.
    ///   - clock: The wall clock.
    ///   - elapsed: The clock for limits, which a change of the wall clock does not affect.
    ///   - limiter: The limits on how often something happens to an account.
    ///   - handlers: What an embedding server does itself.
    ///   - logger: The logger of the sweeping, and of a server that cannot be used.
    /// - Throws: `BrokerConfigurationError` for a configuration with errors, or an error of the store, which contains
    ///   no content of a record.
    public convenience init(
        configuration: AccountsConfiguration, broker: BrokerConfiguration,
        storeConfiguration: StoreConfiguration = StoreConfiguration(), clock: any UnixClock = SystemUnixClock(),
        elapsed: any ElapsedClock = SystemElapsedClock(), limiter: any AccountLimiter = TokenBucketLimiter(),
        handlers: AccountHandlers = AccountHandlers(), logger: Logger
    ) throws {
        let errors = configuration.validate(beside: broker)
        guard errors.isEmpty else { throw BrokerConfigurationError(errors: errors) }
        let database = try AccountDatabase(configuration, beside: storeConfiguration, logger: logger)
        try self.init(
            configuration: configuration, broker: broker, store: database.store, clock: clock, elapsed: elapsed,
            limiter: limiter, handlers: handlers, logger: logger, sweepInterval: .seconds(60),
            sweepBatch: database.sweepBatch,
            waiting: database.waiting, close: database.close)
    }

    /// Creates the accounts of a configuration in another store than the one that it names.
    /// - Parameters:
    ///   - configuration: The configuration of the accounts.
    ///   - broker: The configuration of the broker.
    ///   - store: The store.
    ///   - clock: The wall clock.
    ///   - elapsed: The clock for limits.
    ///   - limiter: The limits on how often something happens to an account.
    ///   - handlers: What an embedding server does itself.
    ///   - logger: The logger of the sweeping.
    ///   - sweepInterval: The time between two sweeps.
    ///   - waiting: Returns how many transactions wait in the store, for ``samples``; `nil` if that is not known.
    ///   - close: Closes the store when the service ends.
    /// - Throws: `BrokerConfigurationError` for a configuration with errors.
    public convenience init(
        configuration: AccountsConfiguration, broker: BrokerConfiguration, store: any AccountStore,
        clock: any UnixClock = SystemUnixClock(), elapsed: any ElapsedClock = SystemElapsedClock(),
        limiter: any AccountLimiter = TokenBucketLimiter(), handlers: AccountHandlers = AccountHandlers(),
        logger: Logger, sweepInterval: Duration = .seconds(60),
        waiting: (@Sendable () -> (writes: Int, reads: Int))? = nil,
        close: @escaping @Sendable () async throws -> Void = {}
    ) throws {
        try self.init(
            configuration: configuration, broker: broker, store: store, clock: clock, elapsed: elapsed,
            limiter: limiter, handlers: handlers, logger: logger, sweepInterval: sweepInterval,
            sweepBatch: AccountSweeping.usualBatch,
            waiting: waiting, close: close)
    }

    /// - Parameter sweepBatch: The maximum number of records that a sweep removes in one transaction.
    private init(
        configuration: AccountsConfiguration, broker: BrokerConfiguration, store: any AccountStore,
        clock: any UnixClock, elapsed: any ElapsedClock, limiter: any AccountLimiter, handlers: AccountHandlers,
        logger: Logger,
        sweepInterval: Duration, sweepBatch: Int, waiting: (@Sendable () -> (writes: Int, reads: Int))?,
        close: @escaping @Sendable () async throws -> Void
    ) throws {
        let errors = configuration.validate(beside: broker)
        guard errors.isEmpty else { throw BrokerConfigurationError(errors: errors) }
        let store = CountedAccountStore(store, clock: elapsed)
        let logouts = AppLogouts(clock: clock)
        let dependencies = Dependencies(
            store: store, clock: clock, elapsed: elapsed, limiter: CountedAccountLimiter(limiter), handlers: handlers,
            webhooks: AccountWebhooks(clock: clock),
            listener: handlers.event == nil ? .webhook() : AccountListener(destination: "handler"),
            logouts: logouts,
            logoutQueues: LogoutQueues(store: store, logouts: logouts, clock: clock, logger: logger))
        dependencies.webhooks.use(configuration, beside: broker)
        inUse = Mutex(
            InUse(configuration: configuration, toolkit: try dependencies.toolkit(configuration, beside: broker)))
        self.dependencies = dependencies
        sweeping = AccountSweeping(
            store: store, clock: clock, interval: sweepInterval, logger: logger, batch: sweepBatch)
        probe = AccountStoreProbe(store: store)
        events = dependencies.delivery(logger: logger)
        self.waiting = waiting
        self.close = close
    }

    /// What is known of the database of accounts.
    package var databaseStatus: SharedStoreStatus { probe.store.status }

    /// Asks the database of accounts until it answers for the first time.
    /// - Throws: `CancellationError` when the task is canceled.
    package func reachDatabase() async throws {
        try await probe.reach(on: MultiThreadedEventLoopGroup.singleton.any())
    }

    /// Creates the broker beside the accounts. The arguments are those of `Broker.init`.
    /// - Throws: `BrokerConfigurationError` with every error.
    public func makeBroker(
        configuration: BrokerConfiguration, transport: any ProviderTransport, stores: SingleUseStores? = nil,
        clock: any UnixClock = SystemUnixClock(), elapsed: any ElapsedClock = SystemElapsedClock(),
        notificationHandler: (any NotificationHandler)? = nil, signInHandlers: [String: SignInHandler] = [:],
        signingExecutor: any SigningExecutor = ConcurrentSigningExecutor(),
        requestLimits: RequestLimits = RequestLimits(), logger: Logger, auditLogger: Logger? = nil,
        metricsFactory: (any MetricsFactory)? = nil, tracer: (any Tracer)? = nil
    ) throws(BrokerConfigurationError) -> Broker {
        let inUse = self.inUse.withLock { $0 }
        dependencies.webhooks.use(transport)
        dependencies.logouts.use(transport)
        var configuration = configuration
        configuration.sdkAppAudiences = inUse.configuration.sdkAppAudiences
        configuration.hasSDKApps = !inUse.configuration.apps.isEmpty
        let broker = try Broker(
            configuration: configuration, transport: transport,
            stores: stores
                ?? .inMemory(
                    InMemorySingleUseStore(bytes: configuration.storeBytes, clock: elapsed, wallClock: clock)),
            clock: clock, elapsed: elapsed, logger: logger, limits: BrokerLimits(), requestLimits: requestLimits,
            notificationHandler: notificationHandler, signInHandlers: signInHandlers,
            signing: SigningQueue(executor: signingExecutor), extensions: inUse.toolkit.extensions,
            auditLogger: auditLogger,
            metricsFactory: metricsFactory, tracer: tracer)
        dependencies.logouts.use(configuration)
        return broker
    }

    /// Replaces the configuration of the accounts and of the broker that they made, in one step, for every request from
    /// now on: signing keys, policy and apps. The store and the limiter stay.
    /// - Parameters:
    ///   - configuration: The configuration of the accounts, with the project and the database that are open.
    ///   - brokerConfiguration: The configuration of the broker.
    ///   - broker: The broker, which was made by
    ///     ``makeBroker(configuration:transport:stores:clock:elapsed:notificationHandler:signInHandlers:signingExecutor:requestLimits:logger:auditLogger:metricsFactory:tracer:)``.
    /// - Throws: `BrokerConfigurationError`, in which case nothing has changed.
    public func reload(
        _ configuration: AccountsConfiguration, brokerConfiguration: BrokerConfiguration, of broker: Broker
    ) throws(BrokerConfigurationError) {
        var brokerConfiguration = brokerConfiguration
        brokerConfiguration.sdkAppAudiences = configuration.sdkAppAudiences
        brokerConfiguration.hasSDKApps = !configuration.apps.isEmpty
        let previous = inUse.withLock { $0 }
        let errors =
            configuration.errors(changing: previous.configuration)
            + configuration.validate(beside: brokerConfiguration)
        guard errors.isEmpty else { throw BrokerConfigurationError(errors: errors) }
        let hasMadeKeys = previous.configuration.signingKeys.isEmpty
        let next = InUse(
            configuration: configuration,
            toolkit: try dependencies.toolkit(
                configuration, beside: brokerConfiguration,
                keepingMadeKeysOf: hasMadeKeys ? previous.toolkit.service.tokens.keys : nil))
        // The broker swaps its snapshot, which holds the wire, once.
        try broker.reload(brokerConfiguration, extensions: next.toolkit.extensions) { inUse.withLock { $0 = next } }
        dependencies.webhooks.use(configuration, beside: brokerConfiguration)
        dependencies.logouts.use(brokerConfiguration)
        if previous.configuration.signingKeys != configuration.signingKeys {
            broker.audit(AuditEvent(.keysChanged, outcome: "account_signing_keys"))
        }
        if previous.configuration.sessionCookieKeys != configuration.sessionCookieKeys {
            broker.audit(AuditEvent(.keysChanged, outcome: "session_cookie_keys"))
        }
    }

    /// Sweeps what has expired and delivers events and logout tokens until graceful shutdown or cancellation, then closes the
    /// store.
    /// - Throws: An error of the store that could not be closed.
    public func run() async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        async let probing: Void = probe.run(on: eventLoop)
        async let delivering: Void = events.run(on: eventLoop)
        async let loggingOut: Void = logoutQueues.run(on: eventLoop)
        await sweeping.run(on: eventLoop)
        await probing
        await delivering
        await loggingOut
        try await close()
    }
}
