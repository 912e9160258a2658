// SPDX-License-Identifier: Apache-2.0

import Admission
import BrowserTesting
import Crypto
import JOSE
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import StoreTesting
import Testing
import TestingSupport

/// A server with accounts and two web apps of an SDK, behind a proxy at 127.0.0.1 that names the client of each request. Its
/// provider is in memory and signs with a real key; its clock stands still.
struct AccountFixture: Sendable {
    /// A response to an SDK.
    struct Answer: Sendable {
        let status: Int
        let members: JSONObject

        subscript(name: String) -> String? { members[name]?.text?.makeString() }
        /// The message of an error.
        var message: String? { members["error"]?.objectValue?["message"]?.text?.makeString() }
    }

    /// A web app of the SDK.
    enum App: String, CaseIterable {
        case web, desk

        var apiKey: String { rawValue + "-4f1c0000" }
        /// Its client ID at the provider.
        var audience: String { rawValue + "-at-acme" }
    }

    private static let rawNonce = "raw-nonce"
    /// The page of both apps.
    private static let page = "https://app.example.com/app"

    let server: RunningServer
    let provider: TestProvider

    /// Runs a body against a server.
    /// - Parameter storeBytes: The size of the broker's store; `nil` for the default.
    static func run(storeBytes: Int? = nil, _ body: (AccountFixture) async throws -> Void) async throws {
        let clock = TestClock()
        let provider = try TestProvider(
            issuer: "https://login.acme.example", client: .init(id: "broker", secret: "secret"), clock: clock)
        var options = RunningServer.Options()
        options.transport = SeveralProviders([provider])
        options.configuration = { publicURL in
            let acme = BrokerConfiguration.Provider(
                name: "acme", issuer: provider.issuer, clientID: provider.client.id,
                clientSecret: Secret(provider.client.secret))
            var configuration = BrokerConfiguration.test(
                publicURL: publicURL, provider: acme, apps: [AppClient.publicApp.configuration])
            if let storeBytes { configuration.storeBytes = storeBytes }
            return configuration
        }
        options.configureServer = { configuration, _ in
            configuration.trustedProxies = ["127.0.0.1"].compactMap { IPNetwork($0) }
            configuration.forwarded = .xForwardedFor
        }
        let standIn = try #require(PublicURL("https://localhost:1"))
        options.making = try making(beside: options.configuration(standIn), options.requestLimits, clock)
        try await RunningServer.run(options) { try await body(AccountFixture(server: $0, provider: provider)) }
    }

    private static func making(
        beside broker: BrokerConfiguration, _ limits: RequestLimits, _ clock: TestClock
    ) throws -> RunningServer.Options.Making {
        let apps = App.allCases.map { app in
            var known = SDKAppConfiguration(name: app.rawValue, apiKey: app.apiKey)
            known.authorizedDomains = ["app.example.com"]
            known.nativeAudiences = [.init(provider: "oidc.acme", audience: app.audience)]
            return known
        }
        let configuration = AccountsConfiguration(
            projectID: "acme-shop", database: "sqlite:/not-opened/accounts.sqlite",
            signingKeys: [Secret(P256.Signing.PrivateKey().pemRepresentation)], apps: apps)
        let accounts = try BrokerAccounts(
            configuration: configuration, broker: broker, store: ModelAccountStore(), clock: clock,
            elapsed: clock.elapsed, logger: .quiet)
        return RunningServer.Options.Making(
            make: {
                try accounts.makeBroker(
                    configuration: $0, transport: $1, clock: clock, elapsed: clock.elapsed, requestLimits: limits,
                    logger: .quiet)
            },
            reload: { try accounts.reload(configuration, brokerConfiguration: $1, of: $0) })
    }

    // MARK: The SDK's wire

    /// Opens the proxy's connection.
    func open(_ body: (RawConnection) async throws -> Void) async throws {
        try await RawConnection.open(
            port: server.port, tls: RawConnection.TLS(certificate: server.certificate), body)
    }

    /// A sign-in with a native ID token.
    func signIn(
        _ subject: String, at app: App = .web, from client: String, on connection: RawConnection
    ) async throws -> Answer {
        let now = provider.clock.now()
        let token = try provider.key.sign([
            "iss": .string(provider.issuer), "sub": .string(subject), "aud": .string(app.audience),
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 300)),
            "nonce": .string(NoncePair(raw: Self.rawNonce).hashed),
            // The same token cannot be used twice.
            "jti": .string(Base64URL.encode(SecureRandom.bytes(16))),
        ])
        let body = "id_token=\(token)&providerId=oidc.acme&nonce=\(Self.rawNonce)"
        return try await post(
            "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp",
            ["requestUri": "http://localhost", "returnSecureToken": true, "postBody": .string(body)], at: app,
            from: client, on: connection)
    }

    /// A lookup of the account of a sign-in.
    func lookup(_ signIn: Answer, from client: String, on connection: RawConnection) async throws -> Answer {
        try await post(
            "/identitytoolkit.googleapis.com/v1/accounts:lookup",
            ["idToken": .string(try #require(signIn["idToken"]))], from: client, on: connection)
    }

    /// A refresh of the session of a sign-in.
    func refresh(_ signIn: Answer, from client: String, on connection: RawConnection) async throws -> Answer {
        try await post(
            "/securetoken.googleapis.com/v1/token",
            ["grant_type": "refresh_token", "refresh_token": .string(try #require(signIn["refreshToken"]))],
            from: client, on: connection)
    }

    private func post(
        _ path: String, _ members: JSONObject, at app: App = .web, from client: String, on connection: RawConnection
    ) async throws -> Answer {
        let body = String(decoding: members.serialized(), as: UTF8.self)
        let head = [
            "Host: \(server.authority)", "X-Forwarded-For: " + client, "Content-Type: application/json",
            "Content-Length: \(body.utf8.count)",
        ]
        try await connection.send(Request.head("POST \(path)?key=\(app.apiKey) HTTP/1.1", head) + body)
        let response = try await connection.response()
        let read =
            response.body.isEmpty
            ? [:] : try JSONParser.object(Array(response.body.utf8), limits: JSONLimits(maximumBytes: 65_536))
        return Answer(status: response.status, members: read)
    }

    // MARK: Redirects

    /// A sign-in by redirect, up to the page of the web app.
    /// - Returns: The parameters of the page's fragment; none if the broker did not go back there.
    func redirect(_ browser: HTTPBrowser) async throws -> Query {
        let start = [
            ("apiKey", App.web.apiKey), ("appName", "[DEFAULT]"), ("authType", "signInViaRedirect"),
            ("redirectUrl", Self.page), ("v", "12.6.0"), ("providerId", "oidc.acme"),
        ]
        let asked = try await browser.open(server.issuer + "/handler?" + Query.encode(start), referrer: Self.page)
        return Self.fragment(try await comeBack(browser, to: asked).location ?? "")
    }

    /// The provider signs the user in.
    /// - Parameter asked: The response that leads to the provider.
    /// - Returns: The response to the callback.
    func comeBack(_ browser: HTTPBrowser, to asked: HTTPBrowser.Page) async throws -> HTTPBrowser.Page {
        let location = try #require(asked.location, "\(asked.body)")
        let response = try provider.authorize(Query(location.drop { $0 != "?" }.dropFirst()))
        return try await browser.open(server.issuer + "/handler?" + Query.encode(response))
    }

    /// Claims the result of a redirect, as the page's script does.
    /// - Returns: The parameters of the page's fragment; none if there is no such result.
    func claim(_ result: Query, _ browser: HTTPBrowser) async throws -> Query {
        let challenge = CodeVerifier(bytes: SecureRandom.bytes(32)).challenge
        let query = Query.encode([("login", try #require(result["login"])), ("challenge", challenge)])
        let page = try await browser.open(server.issuer + "/claim?" + query, referrer: Self.page)
        return Self.fragment(page.location ?? "")
    }

    private static func fragment(_ location: String) -> Query { Query(location.drop { $0 != "#" }.dropFirst()) }
}
