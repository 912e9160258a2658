// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import NIOCore
import AsyncHTTPClient
import JOSE
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import ServiceLifecycle
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerServer

/// A server over plain HTTP whose configuration is in a file, and a provider, on real sockets.
struct ReloadedServer: Sendable {
    /// What a test changes in the file.
    struct Values: Sendable {
        var clientSecret = ReloadedServer.clientSecret
        var sealingKeys = [ReloadedServer.key(1)]
        var redirectURI = AppClient.publicApp.redirectURI
        var isBroken = false
    }

    static let clientID = "broker"
    static let clientSecret = "secret-of-the-broker"

    /// A sealing key that is the same each time.
    static func key(_ number: UInt8) -> String { Base64.encode([UInt8](repeating: number, count: 32)) }

    let origin: String
    let provider: OpenIDProvider
    let directory: TemporaryDirectory
    let http: HTTPClient

    var issuer: String { origin + BrokerConfiguration.defaultPathPrefix }

    /// Runs a body with a server that has read the values, and the configuration that it runs with.
    static func run(
        _ values: Values = Values(), _ body: (ReloadedServer, inout RunningConfiguration) async throws -> Void
    ) async throws {
        try await Turnstile.installations.pass {
            let provider = try await OpenIDProvider.start(
                OpenIDProvider.Configuration(
                    clients: [OpenIDProvider.Client(id: clientID, secret: clientSecret)],
                    interaction: .automatic(0)), on: RunningServer.eventLoops)
            let http = try HTTPBrowser.makeHTTPClient(
                trusting: TestCertificate.shared().certificatePEM, version: .http1Only)
            try await attempt {
                try await serve(values, provider, http, body)
            } finally: {
                try await http.shutdown()
                try await provider.shutdown()
            }
        }
    }

    private static func serve(
        _ values: Values, _ provider: OpenIDProvider, _ http: HTTPClient,
        _ body: (ReloadedServer, inout RunningConfiguration) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.use { directory in
            let location = ConfigurationLocation(environment: [:], configurationFile: directory.file("broker.json"))
            // The port is known when the server listens; the public URL with it is the first change.
            try write(values, origin: "http://localhost:1", provider, to: directory)
            let loaded = try await location.load()
            try await loaded.server.providerTransport.withTransport(on: RunningServer.eventLoops) { transport in
                let broker = try Broker(configuration: loaded.broker, transport: transport, logger: .quiet)
                let server = try BrokerServer(
                    configuration: loaded.server, broker: broker, eventLoopGroup: RunningServer.eventLoops,
                    logger: .quiet)
                let services = ServiceGroup(
                    configuration: ServiceGroupConfiguration(services: [server], logger: .quiet))
                let serving = Task { try await services.run() }
                let address = try await server.boundAddress()
                let port = try #require(address.port)
                let fixture = ReloadedServer(
                    origin: "http://localhost:\(port)", provider: provider, directory: directory, http: http)
                try #require(provider.allow(redirectURI: fixture.issuer + "/handler", forClient: clientID))
                var running = RunningConfiguration(
                    loaded, from: location,
                    target: ReloadTarget(broker: broker, accounts: nil, server: server),
                    logger: .quiet)
                try await attempt {
                    try await fixture.change(to: values, &running)
                    try await body(fixture, &running)
                } finally: {
                    await services.triggerGracefulShutdown()
                    try await serving.value
                }
            }
        }
    }

    /// Writes other values to the file, and looks until they are taken.
    func change(to values: Values, _ running: inout RunningConfiguration) async throws {
        try Self.write(values, origin: origin, provider, to: directory)
        await running.lookTwice()
        #expect(running.isValid != values.isBroken)
    }

    private static func write(
        _ values: Values, origin: String, _ provider: OpenIDProvider, to directory: TemporaryDirectory
    ) throws {
        let acme: JSONObject = [
            "issuer": .string(provider.issuer), "insecure-loopback-issuer": true, "client-id": .string(clientID),
            "client-secret": .string(values.clientSecret),
        ]
        let auth: JSONObject = [
            "public-url": .string(origin), "sealing-keys": .array(values.sealingKeys.map { .string($0) }),
            "signing-keys": .string(SourcesFixture.signingKey), "providers": ["acme"],
            "provider": ["acme": .object(acme)], "apps": ["shop"],
            "app": ["shop": ["redirect-uris": [.string(values.redirectURI)]]],
            "path-prefix": .string(values.isBroken ? "broken" : BrokerConfiguration.defaultPathPrefix),
        ]
        let configuration: JSONObject = ["auth": .object(auth), "server": ["port": 0]]
        try directory.write("broker.json", configuration.serialized())
    }

    // MARK: A sign-in

    /// A sign-in whose callback has not been sent yet.
    struct Login: Sendable {
        let browser: HTTPBrowser
        let attempt: AppClient.Attempt
        let callback: HTTPBrowser.Page
    }

    /// From the app to the provider's response.
    func begin() async throws -> Login {
        let (browser, attempt) = (HTTPBrowser(http), AppClient.Attempt())
        let start = try await browser.open(AppClient.publicApp.authorizationURL(issuer: issuer, attempt))
        try #require(start.status == 303, "\(start.body)")
        let callback = try await browser.open(try #require(start.location))
        try #require(callback.status == 303, "\(callback.body)")
        return Login(browser: browser, attempt: attempt, callback: callback)
    }

    /// From the provider's response to the app's tokens.
    func finish(_ login: Login) async throws {
        let page = try await login.browser.open(try #require(login.callback.location), from: login.callback)
        let response = try AppResponse(page, app: .publicApp)
        let redeemed = try await AppClient.publicApp.redeem(
            try #require(response.code), issuer: issuer, verifier: login.attempt.verifier, with: http)
        #expect(redeemed.status == 200, "\(redeemed.json)")
    }
}
