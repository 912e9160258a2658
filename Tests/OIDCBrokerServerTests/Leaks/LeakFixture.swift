// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import Crypto
import Foundation
import JOSE
import Logging
import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithAppleTesting
import StoreTesting
import Testing
import TestingSupport

/// A server with accounts, an OpenID Provider and Apple, all on real sockets with TLS, that writes everything it can.
struct LeakFixture: Sendable {
    static let teamID = "TEAM123456"
    static let servicesID = "com.example.web"
    static let bundleID = "com.example.shop"
    static let clientID = "broker-at-acme"
    static let clientSecret = "client-secret-of-the-broker"
    /// The client ID at the provider of the app of the SDKs.
    static let sdkAudience = "sdk-app-at-acme"
    static let apiKey = "web-4f1c0000"
    static let projectID = "acme-shop"

    let server: RunningServer
    /// What the admin operations on the loopback listener need.
    let adminToken: String
    let provider: OpenIDProvider
    let apple: MockApple
    let http: HTTPClient
    let streams: WrittenStreams
    /// The secrets of the configuration.
    let configured: SecretValues

    /// Runs a body against all of it, then stops all of it.
    static func run<Value: Sendable>(_ body: (LeakFixture) async throws -> Value) async throws -> Value {
        try await Turnstile.installations.pass {
            try await TemporaryDirectory.use { directory in
                let clock = TestClock()
                let key = MockApple.DeveloperKey.make(teamID: teamID)
                let provider = try await OpenIDProvider.start(
                    try providerConfiguration(clock), on: RunningServer.eventLoops)
                return try await attempt {
                    let apple = try await MockApple.start(
                        try appleConfiguration(key, clock), on: RunningServer.eventLoops)
                    return try await attempt {
                        let streams = try WrittenStreams(in: directory)
                        defer { streams.end() }
                        return try await serve(provider, apple, key, clock, streams, body)
                    } finally: {
                        try await apple.shutdown()
                    }
                } finally: {
                    try await provider.shutdown()
                }
            }
        }
    }

    private static func serve<Value: Sendable>(
        _ provider: OpenIDProvider, _ apple: MockApple, _ key: MockApple.DeveloperKey, _ clock: TestClock,
        _ streams: WrittenStreams, _ body: (LeakFixture) async throws -> Value
    ) async throws -> Value {
        var configured = SecretValues()
        let brokerKey = P256.Signing.PrivateKey().pemRepresentation
        let accountKey = P256.Signing.PrivateKey().pemRepresentation
        let sealingKey = Base64.encode(SecureRandom.bytes(32))
        let adminToken = Base64URL.encode(SecureRandom.bytes(32))
        configured.add(pem: brokerKey, "the broker's signing key")
        configured.add(pem: accountKey, "the accounts' signing key")
        configured.add(pem: key.privateKey.exposed, "Apple's key")
        configured.add(sealingKey, "the sealing key")
        configured.add(clientSecret, "the client secret")
        configured.add(adminToken, "the admin token")
        let providers = try Self.providers(provider, apple, key)
        var options = RunningServer.Options()
        options.clock = clock
        options.logger = streams.logger
        options.accessLogger = streams.accessLogger
        options.configureServer = { configuration, _ in
            configuration.log.access = true
            configuration.loopback.port = 0
            configuration.loopback.adminToken = Secret(adminToken)
        }
        options.configuration = { publicURL in
            var configuration = BrokerConfiguration(
                publicURL: publicURL, providers: providers, apps: AppClient.all.map(\.configuration))
            configuration.apps[0].nativeAudiences = [.init(provider: "apple.com", audience: bundleID)]
            configuration.sealingKeys = [Secret(sealingKey)]
            configuration.signingKeys = [Secret(brokerKey)]
            return configuration
        }
        let standIn = try #require(PublicURL("https://localhost:1"))
        options.making = try making(beside: options.configuration(standIn), accountKey, clock, streams)
        let http = try HTTPBrowser.makeHTTPClient(
            trusting: try TestCertificate.shared().certificatePEM, version: .automatic)
        return try await attempt {
            return try await RunningServer.run(options) { server in
                let fixture = LeakFixture(
                    server: server, adminToken: adminToken, provider: provider, apple: apple, http: http,
                    streams: streams,
                    configured: configured)
                try #require(provider.allow(redirectURI: server.issuer + "/handler", forClient: clientID))
                try #require(apple.allow(redirectURI: server.issuer + "/handler", forClient: servicesID))
                return try await body(fixture)
            }
        } finally: {
            try await http.shutdown()
        }
    }

    private static func making(
        beside broker: BrokerConfiguration, _ key: String, _ clock: TestClock, _ streams: WrittenStreams
    ) throws -> RunningServer.Options.Making {
        var app = SDKAppConfiguration(name: "web", apiKey: apiKey)
        app.authorizedDomains = ["shop.example"]
        app.nativeAudiences = [.init(provider: "oidc.acme", audience: sdkAudience)]
        app.nativeNonce = .required
        let configuration = AccountsConfiguration(
            projectID: projectID, database: "sqlite:/not-opened/accounts.sqlite", signingKeys: [Secret(key)],
            apps: [app])
        let accounts = try BrokerAccounts(
            configuration: configuration, broker: broker, store: ModelAccountStore(), clock: clock,
            elapsed: clock.elapsed, logger: streams.logger)
        return RunningServer.Options.Making(
            make: {
                try accounts.makeBroker(
                    configuration: $0, transport: $1, clock: clock, elapsed: clock.elapsed,
                    notificationHandler: NotificationRecorder(), requestLimits: .withoutRates, logger: streams.logger,
                    auditLogger: streams.auditLogger, metricsFactory: streams.metrics, tracer: streams.tracer)
            },
            reload: { try accounts.reload(configuration, brokerConfiguration: $1, of: $0) })
    }

    private static func providerConfiguration(_ clock: TestClock) throws -> OpenIDProvider.Configuration {
        var configuration = OpenIDProvider.Configuration(
            clients: [
                OpenIDProvider.Client(id: clientID, secret: clientSecret), OpenIDProvider.Client(id: sdkAudience),
            ],
            certificate: try TestCertificate.shared(), interaction: .automatic(0), misbehavior: .none)
        configuration.signingAlgorithm = .es256
        configuration.clock = clock
        return configuration
    }

    private static func appleConfiguration(
        _ key: MockApple.DeveloperKey, _ clock: TestClock
    ) throws -> MockApple.Configuration {
        var configuration = MockApple.Configuration(
            clients: [.servicesID(servicesID, teamID: teamID), .bundleID(bundleID, teamID: teamID)],
            developerKeys: [key], certificate: try TestCertificate.shared(), interaction: .automatic(0))
        configuration.signingAlgorithm = .es256
        configuration.clock = clock
        return configuration
    }

    private static func providers(
        _ provider: OpenIDProvider, _ apple: MockApple, _ key: MockApple.DeveloperKey
    ) throws -> [BrokerConfiguration.Provider] {
        var acme = BrokerConfiguration.Provider(
            name: "acme", issuer: provider.issuer, clientID: clientID, clientSecret: Secret(clientSecret))
        acme.configuration.certificateAuthorities = Array(try TestCertificate.shared().certificatePEM.utf8)
        acme.configuration.scopes = ["openid", "email", "profile"]
        acme.configuration.userInfo = true
        var second = BrokerConfiguration.Provider.apple(
            clientID: servicesID, teamID: key.teamID, keyID: key.keyID, privateKey: key.privateKey)
        second.replaceApple(
            by: AppleStandIn(
                issuer: apple.issuer, certificateAuthorities: apple.certificatePEM.map { Array($0.utf8) }))
        return [acme, second]
    }
}
