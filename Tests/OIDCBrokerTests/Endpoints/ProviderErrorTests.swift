// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import Logging
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Errors of the provider, and the errors for the app.
struct ProviderErrorTests {
    private func expectError(
        _ response: BrokerResponse, _ error: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try Location(response, sourceLocation: sourceLocation).expectError(error, sourceLocation: sourceLocation)
    }

    @Test(
        .attack(.hostileProviderError, .silentLoginLoop),
        arguments: [
            ("access_denied", "access_denied"), ("user_cancelled_authorize", "access_denied"),
            ("login_required", "login_required"), ("interaction_required", "interaction_required"),
            ("consent_required", "consent_required"), ("account_selection_required", "account_selection_required"),
            ("temporarily_unavailable", "temporarily_unavailable"), ("server_error", "server_error"),
            ("invalid_request", "server_error"), ("invalid_scope", "server_error"),
            ("unauthorized_client", "server_error"), ("<script>", "server_error"), ("ACCESS_DENIED", "server_error"),
        ])
    func `each error of the authorization endpoint becomes one that an app knows`(
        upstream: String, told: String
    ) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let response = try browser.bring(installation.provider.refuse(request, upstream))
        try expectError(response, told)
        #expect(installation.provider.count("/token") == 0)
        #expect(browser.jar.cookies.isEmpty)
    }

    @Test(
        arguments: [nil, "https://evil.example"])
    func `RFC 9207 an error response without the announced iss, or with another's`(issuer: String?) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try browser.start()
        var response = try installation.provider.refuse(request, "access_denied")
        response.removeAll { $0.0 == "iss" }
        if let issuer { response.append(("iss", issuer)) }
        // Not "access_denied": it may be another provider's response.
        try expectError(try browser.bring(response), "server_error")
        #expect(installation.log.outcomes.last == "failed_authorization")
    }

    /// Azure AD B2C escapes letters as JavaScript's `escape` does (microsoft-authentication-library-for-android#253).
    @Test(arguments: ["introducci%u00f3n", "refus%E9", "100%"])
    func `a description that cannot be decoded is none, and the error counts`(description: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let refusal = Query.encode(try installation.provider.refuse(try browser.start(), "access_denied"))
        let response = try browser.get(Installation.handler + "?" + refusal + "&error_description=" + description)
        try expectError(response, "access_denied")
    }

    @Test(.attack(.hostileProviderError))
    func `the provider's description goes neither to the app nor into the log's lines`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let text = "<b>no</b>\r\nauth.outcome=signed_in\u{1b}[31m" + String(repeating: "x", count: 2000)
        let response = try browser.bring(
            installation.provider.refuse(request, "bad\r\nauth.outcome=signed_in", description: text))
        try expectError(response, "server_error")
        #expect(response.head.headerFields[.location]?.contains("%3Cb%3E") == false)
        let lines = installation.log.lines.filter { $0.metadata["auth.outcome"] != nil }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { line in !line.text.contains { $0.isNewline || $0 == "\u{1b}" } })
        #expect(installation.log.text.utf8.count < 1000)
    }

    @Test func `a provider that is down at the start, and recovers by itself`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.isDown = true }
        var browser = Browser(installation)
        let response = try browser.get(AppClient.shop.target())
        try expectError(response, "temporarily_unavailable")
        #expect(response.setCookies.isEmpty)
        #expect(installation.log.outcomes == ["provider_unavailable"])
        // Not asked again by every browser.
        try expectError(try browser.get(AppClient.shop.target()), "temporarily_unavailable")
        #expect(installation.provider.requests.count == 1)
        installation.provider.behave { $0.isDown = false }
        installation.clock.advance(by: 2)
        #expect(try browser.signIn()["code"] != nil)
    }

    @Test(arguments: ["/token", "/jwks"])
    func `a provider that is down at the callback: no second try with the same code`(path: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        installation.provider.behave { $0.deadPaths = [path] }
        try expectError(try browser.bring(response), "temporarily_unavailable")
        #expect(installation.provider.count("/token") == 1)
        #expect(browser.jar.cookies.isEmpty)
        installation.provider.behave { $0.deadPaths = [] }
        installation.clock.advance(by: 2)
        #expect(try browser.signIn()["code"] != nil)
    }

    @Test func `one provider's failure is not another's`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        installation.provider.behave { $0.isDown = true }
        var app = AppClient.shop
        app.provider = "acme"
        var browser = Browser(installation)
        try expectError(try browser.get(app.target()), "temporarily_unavailable")
        app.provider = "globex"
        #expect(try browser.signIn(app)["code"] != nil)
    }

    @Test(
        arguments: [
            (500, "temporarily_unavailable"), (503, "temporarily_unavailable"), (429, "temporarily_unavailable"),
            (404, "server_error"), (200, "server_error"), (302, "server_error"),
        ])
    func `a token response that is none`(status: Int, told: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        installation.provider.behave { $0.responses["/token"] = .json([:], status: status) }
        try expectError(try browser.bring(response), told)
        #expect(installation.provider.count("/token") == 1)
    }

    @Test(arguments: ["invalid_grant", "invalid_client", "access_denied"])
    func `an OAuth error of the token endpoint`(error: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        installation.provider.behave { $0.responses["/token"] = .json(["error": .string(error)], status: 400) }
        try expectError(try browser.bring(response), "server_error")
        #expect(installation.log.text.contains(error))
    }

    @Test(
        arguments: ["iss", "aud", "sub", "nonce", "exp", "iat", "azp", "at_hash"])
    func `an ID token that lies is refused`(name: String) throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims[name] = "wrong" }
        var browser = Browser(installation)
        if name == "sub" { installation.provider.behave { $0.claims = ["sub": .null] } }
        try expectError(try browser.bring(try browser.authenticate()), "server_error")
        #expect(installation.log.outcomes == ["failed_id_token"])
        #expect(installation.log.lines.last?.level == .warning)
    }

    @Test(
        .attack(.providerClockSkew),
        arguments: [("iat", 660), ("nbf", 660), ("exp", -660)])
    func `a clock that is wrong is named as that: four minutes are taken where the skew is, eleven are not`(
        claim: String, seconds: Int
    ) throws {
        let installation = try Installation { $0.providers[0].configuration.clockSkew = .seconds(299) }
        var browser = Browser(installation)
        let now = installation.clock.now()
        installation.provider.behave { $0.claims = [claim: .number(.init(now + (seconds > 0 ? 240 : -240)))] }
        #expect(try browser.signIn()["code"] != nil)
        installation.provider.behave { $0.claims = [claim: .number(.init(now + Int64(seconds)))] }
        try expectError(try browser.bring(try browser.authenticate()), "server_error")
        let line = try #require(installation.log.lines.last)
        #expect(line.metadata["auth.outcome"] == "failed_id_token")
        #expect(line.metadata["auth.detail"]?.contains("clock skew") == true)
    }

    @Test func `what the provider says of a request is a warning, where state and cookie match alone`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let said = "Request Object must be used, \(try #require(request["nonce"])) by ada@people.example"
        let response = try installation.provider.refuse(request, "invalid_request", description: said)
        let jar = browser.jar
        browser.jar = CookieJar()
        #expect(try browser.bring(response).status == 400)
        var line = try #require(installation.log.lines.last)
        #expect(line.level == .info)
        #expect(line.metadata["auth.detail"] == "\"invalid_request\"")
        browser.jar = jar
        // One line a second is written of a kind.
        installation.clock.advance(by: 1)
        #expect(try browser.bring(response).status == 303)
        line = try #require(installation.log.lines.last)
        #expect(line.level == .warning)
        #expect(
            line.metadata["auth.detail"] == "\"authorization: the provider responded with 'invalid_request': "
                + "'Request Object must be used, [hidden] by [hidden]'\"")
    }

    @Test func `a response in another mode than was asked for says which`() throws {
        let installation = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        var browser = Browser(installation)
        let response = try installation.provider.signIn(try browser.start())
        _ = try browser.get(Installation.handler + "?" + Query.encode(response))
        #expect(installation.log.outcomes == ["misdirected"])
        #expect(
            installation.log.lines.last?.metadata["auth.detail"]
                == "\"the response came by query; form_post was requested\"")
    }

    @Test func `an ID token of a key that the provider does not publish is refused`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.signingKey = installation.provider.strangeKey }
        var browser = Browser(installation)
        try expectError(try browser.bring(try browser.authenticate()), "server_error")
        #expect(installation.log.outcomes == ["failed_id_token"])
    }

    @Test(arguments: [("access_denied", "cancelled"), ("server_error", "refused_by_provider")])
    func `an error without a state ends in a page that says that the user did not sign in`(
        code: String, label: String
    ) throws {
        let installation = try Installation()
        let response = try installation.get(Installation.handler + "?error=" + code)
        #expect(response.status == 400)
        #expect(response.text.contains("You did not sign in"))
        #expect(installation.log.outcomes == [label])
    }
}
