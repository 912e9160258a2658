// SPDX-License-Identifier: Apache-2.0

public import Accounts
import IdentityToolkit
import JOSE
public import Logging
import NIOPosix
public import OIDCBroker
public import OpenIDRelyingParty
public import ServiceLifecycle

#if SQLite
    import AccountsSQLite
#endif

/// The accounts beside a broker: their store, the operations on them, the wire of the SDKs, and the sweeping of what has
/// expired.
///
/// It is a service. Run it in a `ServiceGroup` before the server, so that it ends after the server has drained.
public final class BrokerAccounts: Service {
    /// The operations on accounts, for the embedding server.
    public let service: AccountService

    private let toolkit: IdentityToolkit
    private let sdkAppAudiences: [BrokerConfiguration.NativeAudience]
    private let sweeping: AccountSweeping
    private let close: @Sendable () async throws -> Void

    /// Opens the accounts of a configuration. It blocks while the database is opened: call it while the process starts.
    /// - Parameters:
    ///   - configuration: The configuration of the accounts.
    ///   - broker: The configuration of the broker that is made by ``makeBroker(configuration:transport:stores:clock:elapsed:notificationHandler:signInHandlers:signingExecutor:logger:)``.
    ///   - clock: The wall clock.
    ///   - elapsed: The clock for limits, which a change of the wall clock does not affect.
    ///   - limiter: The limits on how often something happens to an account.
    ///   - logger: The logger of the sweeping.
    /// - Throws: `BrokerConfigurationError` for a configuration with errors, or an error of the store, which contains
    ///   no content of a record.
    public convenience init(
        configuration: AccountsConfiguration, broker: BrokerConfiguration, clock: any UnixClock = SystemUnixClock(),
        elapsed: any ElapsedClock = SystemElapsedClock(), limiter: any AccountLimiter = TokenBucketLimiter(),
        logger: Logger
    ) throws {
        let errors = configuration.validate(beside: broker)
        guard errors.isEmpty else { throw BrokerConfigurationError(errors: errors) }
        #if SQLite
            let store = try SQLiteAccountStore.open(
                path: configuration.databasePath ?? "", project: configuration.projectID)
            try self.init(
                configuration: configuration, broker: broker, store: store, clock: clock, elapsed: elapsed,
                limiter: limiter, logger: logger
            ) { try await store.shutdown() }
        #else
            // The validation has refused it.
            throw BrokerConfigurationError(errors: errors)
        #endif
    }

    /// Creates the accounts of a configuration in another store than the one that it names.
    /// - Parameters:
    ///   - configuration: The configuration of the accounts.
    ///   - broker: The configuration of the broker.
    ///   - store: The store.
    ///   - clock: The wall clock.
    ///   - elapsed: The clock for limits.
    ///   - limiter: The limits on how often something happens to an account.
    ///   - logger: The logger of the sweeping.
    ///   - sweepInterval: The time between two sweeps.
    ///   - close: Closes the store when the service ends.
    /// - Throws: `BrokerConfigurationError` for a configuration with errors.
    public init(
        configuration: AccountsConfiguration, broker: BrokerConfiguration, store: any AccountStore,
        clock: any UnixClock = SystemUnixClock(), elapsed: any ElapsedClock = SystemElapsedClock(),
        limiter: any AccountLimiter = TokenBucketLimiter(), logger: Logger, sweepInterval: Duration = .seconds(60),
        close: @escaping @Sendable () async throws -> Void = {}
    ) throws {
        let errors = configuration.validate(beside: broker)
        guard errors.isEmpty else { throw BrokerConfigurationError(errors: errors) }
        let keys = try configuration.keys(beside: broker)
        guard
            let tokens = AccountTokens(
                projectID: configuration.projectID, issuer: configuration.issuer(beside: broker), keys: keys)
        else { throw BrokerConfigurationError(errors: errors) }
        let service = AccountService(
            store: store, policy: configuration.policy(beside: broker), tokens: tokens, clock: { clock.now() })
        self.service = service
        sdkAppAudiences = configuration.sdkAppAudiences
        toolkit = try IdentityToolkit(
            service: service, apps: configuration.apps.map { $0.app(beside: broker) },
            publicURL: broker.issuer,
            limits: IdentityToolkit.AccountLimits(limiter: limiter, elapsed: { elapsed.now() }))
        sweeping = AccountSweeping(store: store, clock: clock, interval: sweepInterval, logger: logger)
        self.close = close
    }

    /// Creates the broker beside the accounts. The arguments are those of `Broker.init`.
    /// - Throws: `BrokerConfigurationError` with every error.
    public func makeBroker(
        configuration: BrokerConfiguration, transport: any ProviderTransport, stores: SingleUseStores? = nil,
        clock: any UnixClock = SystemUnixClock(), elapsed: any ElapsedClock = SystemElapsedClock(),
        notificationHandler: (any NotificationHandler)? = nil, signInHandlers: [String: SignInHandler] = [:],
        signingExecutor: any SigningExecutor = ConcurrentSigningExecutor(), logger: Logger
    ) throws(BrokerConfigurationError) -> Broker {
        var configuration = configuration
        configuration.sdkAppAudiences = sdkAppAudiences
        return try Broker(
            configuration: configuration, transport: transport,
            stores: stores ?? .inMemory(InMemorySingleUseStore(bytes: configuration.storeBytes, clock: elapsed)),
            clock: clock, elapsed: elapsed, logger: logger, limits: BrokerLimits(),
            notificationHandler: notificationHandler, signInHandlers: signInHandlers,
            signing: SigningQueue(executor: signingExecutor), extensions: [toolkit])
    }

    /// Sweeps what has expired until graceful shutdown or cancellation, then closes the store.
    /// - Throws: An error of the store that could not be closed.
    public func run() async throws {
        await sweeping.run(on: MultiThreadedEventLoopGroup.singleton.any())
        try await close()
    }
}
