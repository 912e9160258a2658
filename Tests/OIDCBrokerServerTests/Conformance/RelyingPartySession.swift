// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// A relying party without the broker, a provider, and a browser, on real sockets with TLS: for what comes after a
/// sign-in, since the broker keeps no token.
struct RelyingPartySession: Sendable {
    let provider: OpenIDProvider
    let relyingParty: RelyingParty
    private let http: HTTPClient

    private static let redirectURI = "https://app.example/callback"

    /// Runs a body, stops the relying party, and only then looks at the provider.
    static func run<Value: Sendable, Seen: Sendable>(
        _ options: SignInFixture.Options, _ body: (RelyingPartySession) async throws -> Value,
        afterwards: (Value, OpenIDProvider) async throws -> Seen
    ) async throws -> Seen {
        try await Turnstile.installations.pass {
            let clock = TestClock()
            let provider = try await OpenIDProvider.start(
                options.providerConfiguration(clock: clock), on: RunningServer.eventLoops)
            provider.allow(redirectURI: redirectURI, forClient: SignInFixture.clientID)
            let transport = AsyncHTTPClientTransport(eventLoopGroup: RunningServer.eventLoops)
            let http = try HTTPBrowser.makeHTTPClient(
                trusting: try TestCertificate.shared().certificatePEM, version: .http1Only)
            let result: Result<Value, any Error>
            do {
                let configuration = try options.relyingPartyConfiguration(
                    issuer: provider.issuer, redirectURI: redirectURI)
                let session = RelyingPartySession(
                    provider: provider,
                    relyingParty: RelyingParty(
                        configuration: configuration, transport: transport, clock: clock, elapsed: clock.elapsed),
                    http: http)
                result = .success(try await body(session))
            } catch {
                result = .failure(error)
            }
            try await transport.shutdown()
            try await http.shutdown()
            try await provider.shutdown()
            return try await afterwards(try result.get(), provider)
        }
    }

    /// A sign-in without pages.
    func signIn() async throws -> VerifiedSignIn {
        let start = try await relyingParty.begin(using: RunningServer.eventLoops)
        let (url, pending) = (start.url, start.pending)
        let page = try await HTTPBrowser(http).open(url)
        let location = try #require(page.location)
        try #require(location.hasPrefix(Self.redirectURI + "?"))
        return try await relyingParty.complete(
            authorizationResponse: String(location.dropFirst(Self.redirectURI.count + 1)), pending: pending,
            using: RunningServer.eventLoops)
    }
}
