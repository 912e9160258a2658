// SPDX-License-Identifier: Apache-2.0

package import Admission
import HTTPTypes
public import Logging
public import Metrics
public import NIOCore
public import OIDCBrokerConfiguration
public import OIDCBrokerHTTP
import OIDCBrokerRecords
public import OpenIDRelyingParty
import SingleUse
public import Signing
import Synchronization
public import Tracing

/// A sign-in broker, for embedding in a server.
///
/// An app sends the browser to the broker. The broker sends it to a provider, gets it back, verifies the result and gives
/// it to the app, once. To the app, the broker is an OpenID Provider.
///
/// Create one broker when the server starts, and share it between all connections. `OIDCBrokerNIO` adds it to a channel
/// pipeline. A server without channel handlers calls ``respond(to:using:)``.
public final class Broker: Sendable {
    /// The limits that a channel handler must enforce on a request.
    public let limits: BrokerLimits
    /// The memory for what clients make the process hold, which a listener in front of the broker takes from as well.
    package var memory: MemoryBudget { services.limiter.memory }

    /// The field `Date` of the responses, for the handlers that write them.
    package var responseDate: ResponseDate? { services.responseDate }

    private let snapshot: Mutex<BrokerSnapshot>
    /// Held while a configuration is validated and swapped, so that concurrent changes do not overwrite each other.
    private let reloading = Mutex<Void>(())
    let services: BrokerServices
    private let signInHandlers: [String: SignInHandler]

    /// Creates a broker.
    /// - Parameters:
    ///   - configuration: The configuration. All of it is validated here.
    ///   - transport: The transport that sends requests to providers.
    ///   - stores: The stores of single-use entries, for several replicas; `nil` for a store in memory with
    ///     `BrokerConfiguration.storeBytes`, for one process.
    ///   - clock: The wall clock.
    ///   - elapsed: The clock for lifetimes in this process, which a change of the wall clock does not affect.
    ///   - notificationHandler: Handles providers' notifications about accounts; `nil` for the webhook of the
    ///     configuration. Without both, notifications are refused, and providers send them again.
    ///   - signInHandlers: The handlers of the apps of kind `in-process`, by the names of the apps in the configuration.
    ///   - signingExecutor: The threads that make RSA signatures.
    ///   - requestLimits: The rates and the maximum of callbacks. ``replaceRequestLimits(by:)`` changes them.
    ///   - logger: The logger. A successful sign-in is a line at `info`, at most ten a second; each successful start and
    ///     redemption is one at `debug`. Failures are at most one line a second of each kind: `info` for what a user
    ///     encountered, `warning` for what an operator should look into.
    ///   - auditLogger: The logger of the audit, whose label is `auth.audit` by convention: a line of level `notice` for
    ///     each event; none is left out. `nil` for no audit.
    ///   - metricsFactory: What makes the counters and timers; `nil` for the one that `MetricsSystem` is bootstrapped with.
    ///   - tracer: What makes the spans; `nil` for the one that `InstrumentationSystem` is bootstrapped with by now, or none.
    /// - Throws: `BrokerConfigurationError` with every error.
    public convenience init(
        configuration: BrokerConfiguration,
        transport: any ProviderTransport,
        stores: SingleUseStores? = nil,
        clock: any UnixClock = SystemUnixClock(),
        elapsed: any ElapsedClock = SystemElapsedClock(),
        notificationHandler: (any NotificationHandler)? = nil,
        signInHandlers: [String: SignInHandler] = [:],
        signingExecutor: any SigningExecutor = ConcurrentSigningExecutor(),
        requestLimits: RequestLimits = RequestLimits(),
        logger: Logger,
        auditLogger: Logger? = nil,
        metricsFactory: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil
    ) throws(BrokerConfigurationError) {
        try self.init(
            configuration: configuration, transport: transport,
            stores: stores
                ?? .inMemory(
                    InMemorySingleUseStore(bytes: configuration.storeBytes, clock: elapsed, wallClock: clock)),
            clock: clock, elapsed: elapsed, logger: logger, limits: BrokerLimits(), requestLimits: requestLimits,
            notificationHandler: notificationHandler, signInHandlers: signInHandlers,
            signing: SigningQueue(executor: signingExecutor), auditLogger: auditLogger, metricsFactory: metricsFactory,
            tracer: tracer)
    }

    /// Creates a broker with other limits, for tests.
    package init(
        configuration: BrokerConfiguration,
        transport: any ProviderTransport,
        stores: SingleUseStores,
        clock: any UnixClock,
        elapsed: any ElapsedClock,
        logger: Logger,
        limits: BrokerLimits,
        clientLimits: ClientLimits = ClientLimits(),
        requestLimits: RequestLimits = RequestLimits(),
        notificationHandler: (any NotificationHandler)? = nil,
        signInHandlers: [String: SignInHandler] = [:],
        signing: SigningQueue = SigningQueue(executor: ConcurrentSigningExecutor()),
        extensions: BrokerExtensions = BrokerExtensions(),
        auditLogger: Logger? = nil,
        metricsFactory: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil
    ) throws(BrokerConfigurationError) {
        self.limits = limits
        let memory = MemoryBudget(bytes: requestLimits.memory)
        let (store, lastingStore) = stores.access(
            clock: clock, elapsed: elapsed, memory: memory, metricsFactory: metricsFactory, logger: logger)
        services = BrokerServices(
            transport: transport, store: store, lastingStore: lastingStore, clock: clock, elapsed: elapsed,
            logger: logger, notificationHandler: notificationHandler,
            clientLimits: clientLimits, requestLimits: requestLimits, memory: memory, signing: signing,
            metrics: BrokerMetrics(factory: metricsFactory), audit: AuditTrail(auditLogger, clock: clock),
            tracing: BrokerTracing(tracer))
        self.signInHandlers = signInHandlers
        let services = services
        snapshot = Mutex(
            try BrokerSnapshot(
                configuration, previous: nil, signInHandlers: signInHandlers,
                hasNotificationHandler: notificationHandler != nil, extensions: extensions,
                metricsFactory: metricsFactory, makeKeySet: services.makeKeySet
            ) { services.makeRelyingParty($0, provider: $1) })
    }

    /// Replaces the configuration atomically, for every request from now on. The caches of unchanged providers are
    /// kept; a login whose provider has changed ends and has to be started again.
    /// - Throws: `BrokerConfigurationError` with every error, in which case nothing has changed.
    public func reload(_ configuration: BrokerConfiguration) throws(BrokerConfigurationError) {
        try change { _ in configuration }
        services.audit.record(AuditEvent(.reload, outcome: "applied"))
    }

    /// Replaces the configuration and the extensions in one step: every request sees both as they were when it began.
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - extensions: The extensions that replace all present ones.
    ///   - commit: A closure that notes what no request reads. It is called once the configuration is in use, before any
    ///     other change, and must not call the broker.
    /// - Throws: `BrokerConfigurationError` with every error, in which case nothing has changed.
    package func reload(
        _ configuration: BrokerConfiguration, extensions: BrokerExtensions, alongside commit: () -> Void = {}
    ) throws(BrokerConfigurationError) {
        try change({ _ in configuration }, extensions: extensions, alongside: commit)
        services.audit.record(AuditEvent(.reload, outcome: "applied"))
    }

    /// Replaces the configuration by one derived from the current one.
    /// - Parameter extensions: The extensions that replace the present ones; `nil` to keep them.
    func change(
        _ make: (BrokerConfiguration) throws(BrokerConfigurationError) -> BrokerConfiguration,
        extensions: BrokerExtensions? = nil, alongside commit: () -> Void = {}
    ) throws(BrokerConfigurationError) {
        let services = services
        try reloading.withLock { _ throws(BrokerConfigurationError) in
            let previous = current
            let next = try BrokerSnapshot(
                try make(previous.configuration), previous: previous, signInHandlers: signInHandlers,
                hasNotificationHandler: services.notificationHandler != nil,
                extensions: extensions ?? previous.extensions, metricsFactory: services.metrics.given,
                makeKeySet: services.makeKeySet
            ) {
                services.makeRelyingParty($0, provider: $1)
            }
            next.restoreAppleClients()
            snapshot.withLock { $0 = next }
            commit()
            previous.retireAppleClients(since: next, metricsFactory: services.metrics.factory)
            guard services.audit.isOn else { return }
            for event in AuditEvent.keyChanges(from: previous.configuration, to: next.configuration) {
                services.audit.record(event)
            }
        }
    }

    /// Whether the broker handles a request target, as it was received. Only the bytes before `?` count; nothing is
    /// decoded.
    public func handles(path: String) -> Bool {
        let snapshot = current
        if snapshot.paths.handles(path: path) { return true }
        guard !snapshot.extensions.routes.isEmpty else { return false }
        let plain = path.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(path[..<$0]) } ?? path
        return snapshot.extensions.route(at: plain) != nil
    }

    /// Responds to a request, on its connection's event loop. The response may be there at once, without a future.
    package func respond(to request: BrokerRequest, on eventLoop: any EventLoop) -> Eventual<BrokerResponse> {
        let snapshot = current
        let target = RoutedTarget(request.path, snapshot.paths)
        let span = services.tracing?.begin(request, target, in: snapshot)
        let context = RequestContext(
            snapshot: snapshot, services: services, eventLoop: eventLoop, logger: request.logger ?? services.logger,
            headerFields: request.headerFields, client: request.client, span: span,
            storeTimeout: target.endpoint?.endsSignIn == true
                ? SingleUseAccess.longPatience : SingleUseAccess.shortPatience
        )
        let response = Router(context: context, target: target).respond(to: request)
        guard let span else { return response }
        return span.ending(with: response)
    }

    /// Responds to a request, on its connection's event loop. The future does not fail.
    public func response(to request: BrokerRequest, on eventLoop: any EventLoop) -> EventLoopFuture<BrokerResponse> {
        respond(to: request, on: eventLoop).future(on: eventLoop)
    }

    /// Responds to a request, for servers with async functions.
    /// - Parameters:
    ///   - request: The request.
    ///   - group: The event loops on which requests to providers run.
    public func respond(to request: BrokerRequest, using group: any EventLoopGroup) async -> BrokerResponse {
        let eventLoop = group.any()
        do {
            return try await eventLoop.flatSubmit { self.response(to: request, on: eventLoop) }.get()
        } catch {
            return .plain(status: .serviceUnavailable, "The server is shutting down.\n")
        }
    }

    var current: BrokerSnapshot { snapshot.withLock { $0 } }
}
