// SPDX-License-Identifier: Apache-2.0

import Accounts
import BrowserTesting
import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// A broker whose apps have refresh tokens: a public one, and two that authenticate.
struct AppSessionInstallation: Sendable {
    enum App: String, CaseIterable {
        case shop, back, plain

        var form: [(String, String)] {
            self == .shop
                ? [("client_id", rawValue)] : [("client_id", rawValue), ("client_secret", Self.secret(of: rawValue))]
        }

        static func secret(of name: String) -> String { "a-secret-of-\(name)-0123" }
        var redirectURI: String { "https://\(rawValue).example/callback" }
    }

    let base: DecisionInstallation
    let audit = CapturedAudit()
    var clock: TestClock { base.clock }

    init(
        logouts: [WireText: AccountListener] = [:], configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws {
        base = try DecisionInstallation(auditLogger: audit.logger, logouts: logouts) { configuration in
            let shop = configuration.apps[0]
            configuration.apps = App.allCases.map { app in
                var entry = shop
                entry.name = app.rawValue
                entry.clientID = app.rawValue
                entry.redirectURIs = [app.redirectURI]
                entry.nativeAudiences = app == .shop ? shop.nativeAudiences : []
                entry.clientSecret = app == .shop ? nil : Secret(App.secret(of: app.rawValue))
                entry.refreshTokens = app != .plain
                return entry
            }
            configuration.providers[0].configuration.scopes = ["openid", "email", "profile"]
            configure(&configuration)
        }
    }

    /// A code, and the form that redeems it.
    func code(
        _ app: App = .shop, scope: String = "openid email profile offline_access", nonce: String = "nonce-of-the-app",
        more: [(String, String)] = []
    ) async throws -> [(String, String)] {
        let verifier = Base64URL.encode(SecureRandom.bytes(32))
        let response = try await authorize(app, scope: scope, nonce: nonce, verifier: verifier, more: more) {
            try $0.authorize($1)
        }
        return [
            ("grant_type", "authorization_code"), ("code", try #require(response["code"])),
            ("redirect_uri", app.redirectURI), ("code_verifier", verifier),
        ] + app.form
    }

    /// The response to an authorization request, after the provider responded.
    func authorize(
        _ app: App, scope: String, nonce: String = "nonce-of-the-app",
        verifier: String = Base64URL.encode(SecureRandom.bytes(32)), more: [(String, String)],
        _ respond: (TestProvider, Query) throws -> [(String, String)]
    ) async throws -> Query {
        let query = [
            ("client_id", app.rawValue), ("redirect_uri", app.redirectURI), ("response_type", "code"),
            ("scope", scope), ("code_challenge", ProofKey.challenge(of: verifier)), ("code_challenge_method", "S256"),
            ("nonce", nonce), ("provider", "acme"),
        ]
        var browser = ActingBrowser(sendsFetchMetadata: false)
        let start = try await base.respond(.get, "/__/auth/authorize?" + Query.encode(query + more), nil, "")
        try browser.take(
            start.head.headerFields[values: .setCookie], host: "auth.example.com", isSecure: true, now: clock.now())
        let asked = try Self.query(start)
        #expect(asked["scope"]?.contains("offline_access") == false)
        let provider = try #require(base.providers[.acme])
        var fields: HTTPFields = [:]
        fields[.cookie] = browser.jar.field(
            host: "auth.example.com", path: "/", isSecure: true, isCrossSitePost: false, now: clock.now())
        let callback = try await base.respond(
            .get, "/__/auth/handler?" + Query.encode(try respond(provider, asked)), nil, "", fields: fields)
        return try Self.query(callback)
    }

    private static func query(_ response: BrokerResponse) throws -> Query {
        let location = try #require(response.head.headerFields[.location])
        return Query(location.split(separator: "?", maxSplits: 1).last.map(String.init) ?? "")
    }

    /// A whole sign-in.
    func signIn(
        _ app: App = .shop, scope: String = "openid email profile offline_access"
    ) async throws -> DecisionInstallation.Answer {
        try await post("token", try await code(app, scope: scope))
    }

    func refresh(
        _ token: String?, _ app: App = .shop, _ more: [(String, String)] = []
    ) async throws -> DecisionInstallation.Answer {
        try await post("token", [("grant_type", "refresh_token"), ("refresh_token", token ?? "")] + app.form + more)
    }

    func post(_ endpoint: String, _ form: [(String, String)]) async throws -> DecisionInstallation.Answer {
        let response = try await response(endpoint, form)
        if response.head.status == .serviceUnavailable { #expect(response.head.headerFields[.retryAfter] == "1") }
        return try base.answer(response)
    }

    func response(
        _ endpoint: String, _ form: [(String, String)], fields: HTTPFields = [:]
    ) async throws -> BrokerResponse {
        try await base.respond(
            .post, "/__/auth/" + endpoint, "application/x-www-form-urlencoded", Query.encode(form), fields: fields)
    }

    /// The status of UserInfo.
    func userInfo(_ answer: DecisionInstallation.Answer) async throws -> Int {
        try await base.respond(
            .get, "/__/auth/userinfo", nil, "",
            fields: [.authorization: "Bearer " + (answer.members.string("access_token") ?? "")]
        ).head.status.code
    }
}

extension DecisionInstallation.Answer {
    var refreshToken: String? { members.string("refresh_token") }
}

extension CapturedAudit {
    /// The members of the lines of a kind.
    func lines(of kind: String) -> [[String: String]] { lines.filter { $0.message == kind }.map(\.metadata) }
}
