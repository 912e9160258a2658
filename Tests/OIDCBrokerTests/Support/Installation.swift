// SPDX-License-Identifier: Apache-2.0

import Admission
import Crypto
import HTTPTypes
import JOSE
import Metrics
import NIOCore
import NIOEmbedded
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithAppleTesting
import SingleUse
import Testing
import TestingSupport
import Tracing

/// One broker with all that surrounds it: providers, a clock that stands still, a log, an event loop without a thread.
///
/// Use it from the thread that made it: in tests that are not async, or in a function of one that is not.
struct Installation {
    static let origin = "https://auth.example.com"
    static let issuer = "https://auth.example.com/__/auth"
    static let handler = "/__/auth/handler"
    static let backSecret = "b4ck+s3cret/%& :x"
    static let sealingKey = Base64.encode([UInt8](repeating: 7, count: 32))
    static let secondSealingKey = Base64.encode([UInt8](repeating: 8, count: 32))
    static let signingKey = P256.Signing.PrivateKey().pemRepresentation

    let broker: Broker
    let configuration: BrokerConfiguration
    let providers: [TestProvider]
    let transport: StubTransport
    let clock: TestClock
    let log: CapturedLog
    let audit: CapturedLog
    let eventLoop: EmbeddedEventLoop

    /// - Parameters:
    ///   - names: The names of the providers; they share the callback path.
    ///   - stubs: The providers of another installation, instead of new ones of those names.
    ///   - store: The store; `nil` for one in memory, whose elapsed time is the clock's.
    ///   - apple: An additional provider, behind the others.
    ///   - metrics: The metrics system; `nil` for the one that is bootstrapped.
    ///   - tracer: The tracer; `nil` for the one of the process or the task, if there is any.
    ///   - configure: A closure that changes the result of ``configuration(_:)``.
    init(
        providers names: [String] = ["acme"],
        stubs: [TestProvider]? = nil,
        apple: StubApple? = nil,
        clock: TestClock = TestClock(),
        store: (any SingleUseStore)? = nil,
        notificationHandler: (any NotificationHandler)? = nil,
        signInHandlers: [String: SignInHandler] = [:],
        clientLimits: ClientLimits = ClientLimits(),
        requestLimits: RequestLimits = RequestLimits(),
        signing: SigningQueue = SigningQueue(executor: InlineSigningExecutor()),
        extensions: [any StubExtension] = [],
        metrics: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil,
        configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws {
        var configuration = try Self.configuration(names)
        if let apple { apple.add(to: &configuration) }
        try configure(&configuration)
        let providers = try stubs ?? names.map { try TestProvider(name: $0, clock: clock) }
        let (log, audit) = (CapturedLog(), CapturedLog())
        transport = StubTransport(providers: providers, apple: apple)
        broker = try Broker(
            configuration: configuration, transport: transport,
            stores: Self.stores(store ?? InMemorySingleUseStore(clock: TimeOf(clock), wallClock: clock)), clock: clock,
            elapsed: clock.elapsed, logger: log.logger, limits: BrokerLimits(), clientLimits: clientLimits,
            requestLimits: requestLimits, notificationHandler: notificationHandler, signInHandlers: signInHandlers,
            signing: signing,
            extensions: BrokerExtensions(extensions), auditLogger: audit.logger, metricsFactory: metrics, tracer: tracer
        )
        self.configuration = configuration
        self.providers = providers
        self.clock = clock
        self.log = log
        self.audit = audit
        eventLoop = EmbeddedEventLoop()
    }

    private static func stores(_ store: any SingleUseStore) -> SingleUseStores {
        (store as? InMemorySingleUseStore).map { .inMemory($0) } ?? .shared(store)
    }

    /// Four apps, and providers that share the callback path.
    static func configuration(_ providers: [String]) throws -> BrokerConfiguration {
        var back = BrokerConfiguration.App(
            name: "back", clientSecret: Secret(backSecret),
            redirectURIs: ["https://back.example/callback?from=broker"])
        back.clientID = "back-office"
        back.upstreamTokens = true
        var configuration = BrokerConfiguration(
            publicURL: try #require(PublicURL(origin)),
            providers: providers.map { name in
                var provider = BrokerConfiguration.Provider(
                    name: name, issuer: "https://login.\(name).example", clientID: "broker-at-\(name)",
                    clientSecret: Secret("s3cret+of/\(name) &co"))
                provider.configuration.scopes = ["openid", "email", "profile"]
                return provider
            },
            apps: [
                BrokerConfiguration.App(name: "shop", redirectURIs: ["https://shop.example/callback"]),
                back,
                BrokerConfiguration.App(name: "desk", redirectURIs: ["http://127.0.0.1/callback"]),
                BrokerConfiguration.App(name: "phone", redirectURIs: ["com.example.phone:/callback"]),
            ])
        configuration.sealingKeys = [Secret(sealingKey)]
        configuration.signingKeys = [Secret(signingKey)]
        return configuration
    }

    /// The first provider.
    var provider: TestProvider { providers[0] }

    /// The provider a browser is sent to.
    func provider(at location: Location) throws -> TestProvider {
        try #require(providers.first { location.base == $0.issuer + "/authorize" })
    }

    /// Returns the response to a request when it is available.
    /// Lets the time of the event loop pass, by which a store that was away is asked again.
    func letTimePass(seconds: Int64) { eventLoop.advanceTime(by: .seconds(seconds)) }

    func respond(_ request: BrokerRequest) throws -> BrokerResponse {
        let response = PendingResponse(broker.respond(to: request, on: eventLoop))
        eventLoop.run()
        // While a store is away, time passes.
        for _ in 0..<200 where response.response == nil { eventLoop.advanceTime(by: .milliseconds(100)) }
        return try #require(response.response)
    }

    /// Returns the response to a GET request without cookies.
    func get(_ target: String, fields: HTTPFields = [:]) throws -> BrokerResponse {
        try request(.get, target, fields: fields)
    }

    /// Returns the response to a request without a form.
    func request(
        _ method: HTTPRequest.Method, _ target: String, fields: HTTPFields = [:]
    ) throws -> BrokerResponse {
        try respond(
            BrokerRequest(
                head: HTTPRequest(
                    method: method, scheme: configuration.publicURL.scheme,
                    authority: configuration.publicURL.authority, path: target, headerFields: fields)))
    }
}
