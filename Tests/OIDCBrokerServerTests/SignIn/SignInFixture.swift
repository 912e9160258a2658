// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Broker, provider and browser, all on real sockets with TLS; clock in the test's hand.
struct SignInFixture: Sendable {
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
    var callbackURL: String { server.issuer + "/handler" }

    /// A browser without cookies.
    func browser() -> HTTPBrowser { HTTPBrowser(http) }

    /// Runs a body against all of it, then stops all of it.
    static func run<Value: Sendable>(
        _ options: Options = Options(), _ body: (SignInFixture) async throws -> Value
    ) async throws -> Value {
        try await run(options, body) { value, _ in value }
    }

    /// Runs a body against all of it, stops the broker, and only then looks at the provider: what was under way has
    /// arrived there, or never will.
    static func run<Value: Sendable, Seen: Sendable>(
        _ options: Options, _ body: (SignInFixture) async throws -> Value,
        afterwards: (Value, OpenIDProvider) async throws -> Seen
    ) async throws -> Seen {
        try await Turnstile.installations.pass {
            let clock = TestClock()
            let provider = try await OpenIDProvider.start(
                options.providerConfiguration(clock: clock), on: RunningServer.eventLoops)
            provider.demandDPoPNonce(options.dpopNonce)
            return try await attempt {
                let value = try await run(options, provider, clock, body)
                return try await afterwards(value, provider)
            } finally: {
                try await provider.shutdown()
            }
        }
    }

    private static func run<Value: Sendable>(
        _ options: Options, _ provider: OpenIDProvider, _ clock: TestClock,
        _ body: (SignInFixture) async throws -> Value
    ) async throws -> Value {
        let http = try HTTPBrowser.makeHTTPClient(
            trusting: try TestCertificate.shared().certificatePEM, version: options.version)
        return try await attempt {
            return try await RunningServer.run(options.serverOptions(provider, clock)) { server in
                let fixture = SignInFixture(
                    options: options, server: server, provider: provider, clock: clock, http: http)
                try #require(provider.allow(redirectURI: fixture.callbackURL, forClient: clientID))
                return try await body(fixture)
            }
        } finally: {
            try await http.shutdown()
        }
    }

    /// Starts a provider of the same issuer, after the first one was shut down; its keys are others.
    func startProvider() async throws -> OpenIDProvider {
        var configuration = try options.providerConfiguration(clock: clock)
        configuration.port = provider.port
        configuration.clients[0].redirectURIs = [callbackURL]
        return try await OpenIDProvider.start(configuration, on: RunningServer.eventLoops)
    }
}
