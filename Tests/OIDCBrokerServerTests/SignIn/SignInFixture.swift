// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// Broker, provider and browser, all on real sockets with TLS; clock in the test's hand.
struct SignInFixture: Sendable {
    /// What a test is about.
    struct Options: Sendable {
        /// Where the provider listens. A test that stops it and starts another in its place takes an address that no
        /// other test uses, so that nobody has its port meanwhile.
        var providerHost = "127.0.0.1"
        var signingAlgorithm = OpenIDProvider.SigningAlgorithm.es256
        var interaction = OpenIDProvider.Interaction.automatic(0)
        var responseMode = ResponseMode.query
        var misbehaviour = Misbehaviour.none
        var userInfo = false
        /// How the broker proves itself to the provider; nil: as the metadata says.
        var clientAuthentication: ClientAuthenticationMethod?
        var version = HTTPClient.Configuration.HTTPVersion.automatic
        var limits = ListenerLimits()
    }

    static let clientID = "broker+1?&"
    /// Something that shows whether Basic is form-encoded first (RFC 6749 section 2.3.1).
    static let clientSecret = "s3cr:t+/%41=&"

    let options: Options
    let server: RunningServer
    /// The provider that the broker was told of; another may take its place by ``startProvider()``.
    let provider: OpenIDProvider
    let clock: TestClock
    let http: HTTPClient

    /// Where the provider sends browsers back to.
    var returnURL: String { server.issuer + "/handler" }

    /// A browser without cookies.
    func browser() -> CookieJarClient { CookieJarClient(http) }

    /// Runs a body against all of it, then stops all of it.
    static func run<Value: Sendable>(
        _ options: Options = Options(), _ body: (SignInFixture) async throws -> Value
    ) async throws -> Value {
        let certificate = try TestCertificate.shared()
        let clock = TestClock()
        let provider = try await OpenIDProvider.start(
            providerConfiguration(options, clock: clock), on: RunningServer.eventLoops)
        let http = try CookieJarClient.makeHTTPClient(trusting: certificate, version: options.version)
        let result: Result<Value, any Error>
        do {
            let value = try await RunningServer.run(serverOptions(options, provider, clock)) { server in
                let fixture = SignInFixture(
                    options: options, server: server, provider: provider, clock: clock, http: http)
                try #require(provider.allow(redirectURI: fixture.returnURL, forClient: clientID))
                return try await body(fixture)
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        try await http.shutdown()
        try await provider.shutdown()
        return try result.get()
    }

    /// Starts a provider of the same issuer, after the first one was shut down; its keys are others.
    func startProvider() async throws -> OpenIDProvider {
        var configuration = try Self.providerConfiguration(options, clock: clock)
        configuration.port = provider.port
        configuration.clients[0].redirectURIs = [returnURL]
        return try await OpenIDProvider.start(configuration, on: RunningServer.eventLoops)
    }

    private static func providerConfiguration(
        _ options: Options, clock: TestClock
    ) throws -> OpenIDProvider.Configuration {
        OpenIDProvider.Configuration(
            host: options.providerHost,
            certificate: try TestCertificate.shared(),
            clients: [
                OpenIDProvider.Client(
                    id: clientID, secret: clientSecret, authentication: options.clientAuthentication)
            ],
            signingAlgorithm: options.signingAlgorithm,
            interaction: options.interaction,
            clock: clock,
            misbehaviour: options.misbehaviour)
    }

    private static func serverOptions(
        _ options: Options, _ provider: OpenIDProvider, _ clock: TestClock
    ) throws -> RunningServer.Options {
        let authorities = Array(try TestCertificate.shared().certificatePEM.utf8)
        let acme = BrokerConfiguration.Provider(
            name: "acme", issuer: provider.issuer, clientID: clientID, clientSecret: Secret(clientSecret),
            clientAuthentication: options.clientAuthentication, certificateAuthorities: authorities,
            responseMode: options.responseMode, userInfo: options.userInfo, scopes: ["openid", "email", "profile"])
        var server = RunningServer.Options()
        server.limits = options.limits
        server.clock = clock
        server.configuration = { publicURL in
            .test(publicURL: publicURL, provider: acme, apps: AppClient.all.map(\.configuration))
        }
        return server
    }
}
