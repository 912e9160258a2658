// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import NIOHTTP1
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

// The steps of a sign-in, as the browser takes them.

extension SignInFixture {
    /// Who signs in at a login page.
    static let ada = OpenIDProvider.Person.mock[0]
    static let grace = OpenIDProvider.Person.mock[1]

    /// Sends the browser from the app to the broker, and returns the broker's response.
    func start(
        _ browser: HTTPBrowser, _ app: AppClient, _ attempt: AppClient.Attempt,
        _ parameters: [(String, String)] = []
    ) async throws -> HTTPBrowser.Page {
        try await browser.open(app.authorizationURL(issuer: server.issuer, attempt, parameters))
    }

    /// From the app to the provider's first response.
    func goToProvider(
        _ browser: HTTPBrowser, _ app: AppClient, _ attempt: AppClient.Attempt
    ) async throws -> HTTPBrowser.Page {
        let page = try await start(browser, app, attempt)
        try #require(page.status == 303, "\(page.body)")
        let location = try #require(page.location)
        try #require(location.hasPrefix(provider.issuer + "/authorize?"))
        return try await browser.open(location)
    }

    /// Through the login page and the consent page; the provider's response, which leads back to the broker.
    func passPages(
        _ browser: HTTPBrowser, _ login: HTTPBrowser.Page, as person: OpenIDProvider.Person,
        decision: String = "allow"
    ) async throws -> HTTPBrowser.Page {
        let loginForm = try PageForm(login)
        #expect(loginForm.inputs == ["email", "password"])
        // A wrong password first: neither it nor the right one leaves a form in the browser's history.
        let wrong = try await browser.submit(loginForm, of: login, [("email", person.email), ("password", "wrong")])
        let again = try await browser.open(try #require(wrong.location), from: wrong)
        #expect(again.body.contains("id=\"failure\"") && again.body.contains("value=\"\(person.email)\""))
        let right = try await browser.submit(
            try PageForm(again), of: again, [("email", person.email), ("password", person.password)])
        #expect(right.status == 303)
        let consent = try await browser.open(try #require(right.location), from: right)
        let consentForm = try PageForm(consent)
        let button = try #require(consentForm.buttons.first { $0.0 == "decision" && $0.1 == decision })
        return try await browser.submit(consentForm, of: consent, [button])
    }

    /// The URL the provider sends the browser back to.
    func callbackLocation(of page: HTTPBrowser.Page) throws -> String {
        try #require(page.status == 303, "\(page.body)")
        let location = try #require(page.location)
        try #require(location.hasPrefix(callbackURL + "?") || location.hasPrefix(callbackURL + "#"))
        return location
    }

    /// Sends the provider's response to the broker, and returns the broker's response. A fragment stays in the browser
    /// until the broker's page submits it.
    func comeBack(
        _ browser: HTTPBrowser, _ page: HTTPBrowser.Page
    ) async throws -> HTTPBrowser.Page {
        if page.status == 200 {
            let form = try PageForm(page)
            try #require(form.action == callbackURL)
            return try await browser.submit(form, of: page)
        }
        let location = try callbackLocation(of: page)
        guard let mark = location.firstIndex(of: "#") else { return try await browser.open(location, from: page) }
        let response = try await browser.open(String(location[..<mark]), from: page)
        // Where a fragment was not asked for, the page is the end of it.
        guard options.responseMode == .fragment else { return response }
        try #require(response.status == 200, "\(response.body)")
        let script = response.headers.first(name: "content-security-policy")?.contains("script-src 'sha256-") == true
        #expect(script, "the page brings the fragment by the one script that its policy allows")
        var form = try PageForm(response)
        try #require(form.hidden.map { $0.0 } == ["fragment"])
        form.hidden = [("fragment", String(location[location.index(after: mark)...]))]
        return try await browser.submit(form, of: response)
    }

    /// All of it without pages, up to the app's redirect URI.
    func signIn(
        _ browser: HTTPBrowser, _ app: AppClient, _ attempt: AppClient.Attempt
    ) async throws -> AppResponse {
        let response = try await goToProvider(browser, app, attempt)
        return try AppResponse(try await comeBack(browser, response), app: app)
    }

    /// A whole sign-in that must succeed, redeemed and verified.
    @discardableResult
    func signInAndVerify(
        _ browser: HTTPBrowser, _ app: AppClient = .publicApp
    ) async throws -> BrokerIDToken {
        let attempt = AppClient.Attempt()
        let response = try await signIn(browser, app, attempt)
        return try await redeemAndVerify(response, app, attempt).token
    }

    /// Checks that a response is a valid one, redeems it and verifies the result.
    func redeemAndVerify(
        _ response: AppResponse, _ app: AppClient, _ attempt: AppClient.Attempt
    ) async throws -> (token: BrokerIDToken, response: AppClient.TokenResponseMembers) {
        #expect(response.error == nil)
        #expect(response.state == attempt.state)
        #expect(response.issuer == server.issuer)
        let redeemed = try await app.redeem(
            try #require(response.code), issuer: server.issuer, verifier: attempt.verifier, with: http)
        try #require(redeemed.status == 200, "\(redeemed.json)")
        let token = try await BrokerIDToken.verified(redeemed, fetchedFrom: server.issuer, with: http)
        #expect(token.issuer == server.issuer)
        #expect(token.audience == app.name)
        #expect(token.nonce == attempt.nonce)
        #expect(token.issuedAt == clock.now() - 5)
        #expect(token.expiry == clock.now() + 3600)
        #expect(token.upstreamIssuer == provider.issuer)
        #expect(token.provider == "oidc.acme")
        return (token, redeemed)
    }

    /// The paths the provider was asked for, in their order.
    var askedPaths: [String] { provider.recordedRequests().map { "\($0.method) \($0.path)" } }
}
