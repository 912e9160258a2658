// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// How a sign-in from end to end is set up; a test names what it is about.
struct SignInSetting: Sendable {
    var algorithm = OpenIDProvider.SigningAlgorithm.es256
    var clientID = "client"
    var clientSecret: String? = "secret"
    /// What the provider insists on.
    var requiredAuthentication: ClientAuthenticationMethod?
    /// What the relying party is told to use.
    var configuredAuthentication: ClientAuthenticationMethod?
    var announcedAuthentication = ["client_secret_basic", "client_secret_post"]
    var announcesIssuer = true
    var scopes = ["openid"]
    var userInfo = false
    var clockSkew: Int64 = 60
    /// Seconds the provider's clock is ahead.
    var providerIsAhead: Int64 = 0
    var policy = IDTokenPolicy.standard
    var responseMode = ResponseMode.query
    /// The client's private key, PEM, and the public half as the provider knows it; `nil` for none.
    var clientKey: (pem: String, keySet: String)?
    var requestObject: RequestObjectUse?
    /// Whether the provider insists on signed requests.
    var requiresSignedRequest = false
    /// Whether requests are pushed.
    var isPushed = false

    /// The provider as it is to be started.
    func registration(clock: TestClock) -> OpenIDProvider.Configuration {
        var client = OpenIDProvider.Client(
            id: clientID, secret: clientSecret, redirectURIs: [SignInSession.redirectURI])
        client.authentication = requiredAuthentication
        client.keySet = clientKey?.keySet
        var registration = OpenIDProvider.Configuration(clients: [client], interaction: .automatic(0))
        registration.signingAlgorithm = algorithm
        registration.announcesIssuer = announcesIssuer
        registration.requiresSignedRequestObject = requiresSignedRequest
        registration.announcedClientAuthentication = announcedAuthentication
        registration.clock = clock
        return registration
    }

    /// The provider as the relying party knows it.
    func configuration(issuer: String) -> ProviderConfiguration {
        var configuration = ProviderConfiguration(
            issuer: issuer, clientID: clientID, clientSecret: clientSecret.map(Secret.init),
            redirectURI: SignInSession.redirectURI)
        configuration.scopes = scopes
        configuration.clientAuthentication = configuredAuthentication
        configuration.insecureLoopbackIssuer = true
        configuration.userInfo = userInfo
        configuration.clockSkew = .seconds(clockSkew)
        configuration.responseMode = responseMode
        configuration.clientSigningKey = clientKey.map { Secret($0.pem) }
        configuration.requestObject = requestObject
        configuration.pushedAuthorization = isPushed
        return configuration
    }
}

typealias SignInSession = ProviderSession<OpenIDProvider>

extension SignInSession {
    static var redirectURI: String { "https://app.example/cb" }

    /// Runs a test with a session and shuts everything down.
    static func run(
        _ setting: SignInSetting = SignInSetting(),
        _ body: (SignInSession) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let providerClock = setting.providerIsAhead == 0 ? clock : TestClock(now: clock.now() + setting.providerIsAhead)
        let provider = try await OpenIDProvider.start(setting.registration(clock: providerClock), on: group)
        try await run(
            provider, setting.configuration(issuer: provider.issuer), clock: clock, policy: setting.policy, body)
    }

    /// Begins a sign-in.
    func begin(maximumAge: Duration? = nil) async throws -> (url: String, pending: PendingSignIn) {
        let start = try await relyingParty.begin(maximumAge: maximumAge, using: Self.group)
        return (start.url, start.pending)
    }

    /// The user's part: opens the URL, and returns the query of the redirect of the provider.
    func visit(_ url: String) async throws -> String {
        let location = try #require(
            try await send(HTTPClientRequest(url: url)).response.headers.first(name: "location"))
        let start = Self.redirectURI + "?"
        try #require(location.hasPrefix(start))
        return String(location.dropFirst(start.count))
    }

    /// Completes a sign-in with the query of its callback.
    func complete(_ query: String, _ pending: PendingSignIn) async throws -> VerifiedSignIn {
        try await relyingParty.complete(authorizationResponse: query, pending: pending, using: Self.group)
    }

    /// A whole sign-in.
    func signIn(maximumAge: Duration? = nil) async throws -> VerifiedSignIn {
        let (url, pending) = try await begin(maximumAge: maximumAge)
        return try await complete(try await visit(url), pending)
    }
}
