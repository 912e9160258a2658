// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import Logging
public import NIOCore
public import OpenIDRelyingParty
import Synchronization

/// The callback URL of a sign-in, in one's own server.
///
/// An app sends a browser to the broker, the broker to a provider, the provider back to the broker, and the broker
/// hands the credential to the app, once. Toward the app it is an OpenID Provider of its own.
///
/// It knows requests, answers and an event loop, no channel: `OIDCBrokerNIO` puts it into a pipeline.
public final class Broker: Sendable {
    /// What a channel handler must hold a request to.
    public let limits: BrokerLimits

    private let snapshot: Mutex<BrokerSnapshot>
    /// Held while a configuration is validated and swapped: of two changes neither is lost.
    private let reloading = Mutex<Void>(())
    let services: BrokerServices

    /// A broker.
    /// - Parameters:
    ///   - configuration: validated as a whole.
    ///   - transport: how providers are reached.
    ///   - stores: The stores of what may be used once; `nil` for one in memory, which serves one process, of
    ///     ``BrokerConfiguration/storeBytes``.
    ///   - clock: the wall clock.
    ///   - elapsed: for what is kept in this process and must not follow a wall clock that somebody sets.
    ///   - notificationHandler: takes what providers tell of people's accounts; nil: the webhook that the configuration
    ///     names, and without one nobody, so that providers send again.
    ///   - logger: gets one line for each start, return and redemption that succeeds, `debug`; of what does not, one a second
    ///     of each kind: `info` for what a person met, `warning` for what an operator should look at.
    /// - Throws: ``BrokerConfigurationError`` with every error.
    public convenience init(
        configuration: BrokerConfiguration,
        transport: any ProviderTransport,
        stores: SingleUseStores? = nil,
        clock: any UnixClock = SystemUnixClock(),
        elapsed: any ElapsedClock = SystemElapsedClock(),
        notificationHandler: (any NotificationHandler)? = nil,
        logger: Logger
    ) throws(BrokerConfigurationError) {
        try self.init(
            configuration: configuration, transport: transport,
            stores: stores
                ?? .inMemory(InMemorySingleUseStore(bytes: configuration.storeBytes, clock: elapsed)), clock: clock,
            elapsed: elapsed, logger: logger, limits: BrokerLimits(), notificationHandler: notificationHandler)
    }

    /// A broker with other limits, for tests of those.
    package init(
        configuration: BrokerConfiguration,
        transport: any ProviderTransport,
        stores: SingleUseStores,
        clock: any UnixClock,
        elapsed: any ElapsedClock,
        logger: Logger,
        limits: BrokerLimits,
        clientLimits: ClientLimits = ClientLimits(),
        notificationHandler: (any NotificationHandler)? = nil
    ) throws(BrokerConfigurationError) {
        self.limits = limits
        services = BrokerServices(
            transport: transport, stores: stores, clock: clock, elapsed: elapsed, logger: logger,
            apple: AppleServices(notificationHandler: notificationHandler, lastingStore: stores.lasting),
            clientLimits: clientLimits)
        let services = services
        snapshot = Mutex(
            try BrokerSnapshot(configuration, previous: nil) { services.makeRelyingParty($0, provider: $1) })
    }

    /// Replaces the configuration, at once and as a whole, for every request from now on. What did not change keeps its
    /// caches; a login whose provider did change ends in "start again".
    /// - Throws: ``BrokerConfigurationError`` with every error; nothing is changed then.
    public func reload(_ configuration: BrokerConfiguration) throws(BrokerConfigurationError) {
        try change { _ in configuration }
    }

    /// Replaces the configuration by what is made of the present one.
    func change(
        _ make: (BrokerConfiguration) throws(BrokerConfigurationError) -> BrokerConfiguration
    ) throws(BrokerConfigurationError) {
        let services = services
        try reloading.withLock { _ throws(BrokerConfigurationError) in
            let previous = current
            let next = try BrokerSnapshot(try make(previous.configuration), previous: previous) {
                services.makeRelyingParty($0, provider: $1)
            }
            snapshot.withLock { $0 = next }
        }
    }

    /// Whether a raw request target (its bytes up to `?`, undecoded) is the broker's.
    public func handles(path: String) -> Bool {
        current.paths.handles(path: path)
    }

    /// Responds to a request, on its connection's event loop; without a future where nothing must be waited for.
    package func respond(to request: BrokerRequest, on eventLoop: any EventLoop) -> Eventual<BrokerResponse> {
        let context = RequestContext(
            snapshot: current, services: services, eventLoop: eventLoop, logger: request.logger ?? services.logger)
        return Router(context: context).respond(to: request)
    }

    /// The response to a request, on its connection's event loop. The future does not fail.
    public func response(to request: BrokerRequest, on eventLoop: any EventLoop) -> EventLoopFuture<BrokerResponse> {
        respond(to: request, on: eventLoop).future(on: eventLoop)
    }

    /// The async overload, for servers that do not work on event loops.
    /// - Parameters:
    ///   - request: The request.
    ///   - group: The event loops on one of which requests to providers run.
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
