// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import Crypto
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Sign-outs through app, broker and a provider that demands its own ID token, on real sockets.
@Suite(.onSockets) struct SignOutTests {
    private static var options: SignInFixture.Options {
        var options = SignInFixture.Options()
        options.endsSessions = true
        return options
    }

    /// Signs in, and returns the ID token that the app keeps.
    private static func signIn(_ fixture: SignInFixture, _ browser: HTTPBrowser) async throws -> String {
        let attempt = AppClient.Attempt()
        let response = try await fixture.signIn(browser, .publicApp, attempt)
        let redeemed = try await fixture.redeemAndVerify(response, .publicApp, attempt).response
        return try #require(redeemed["id_token"])
    }

    /// Signs out by the link of an app, and answers the questions of the broker.
    /// - Returns: The number of questions, and the last URL, which is the app's or that of a page.
    private static func signOut(
        _ fixture: SignInFixture, _ browser: HTTPBrowser, _ parameters: [(String, String)]
    ) async throws -> (questions: Int, end: String) {
        var url = fixture.server.issuer + "/logout?" + FormURLEncoding.encode(parameters)
        var questions = 0
        while !url.hasPrefix(AppClient.afterLogout) {
            var page = try await browser.open(url)
            if page.status == 200, let form = PageForm(html: page.body) {
                questions += 1
                page = try await browser.submit(form, of: page)
            }
            guard let next = page.location else { return (questions, page.url) }
            url = next
        }
        return (questions, url)
    }

    private static let afterwards = [("post_logout_redirect_uri", AppClient.afterLogout), ("state", "s&1")]
    private static let end = AppClient.afterLogout + "?state=s%261"

    @Test func `one click signs out everywhere and leads back to the app`() async throws {
        try await SignInFixture.run(Self.options) { fixture in
            let browser = fixture.browser()
            let hint = try await Self.signIn(fixture, browser)
            let signOut = try await Self.signOut(fixture, browser, [("id_token_hint", hint)] + Self.afterwards)
            #expect(signOut.questions == 0 && signOut.end == Self.end)
            #expect(fixture.provider.violations() == [])
            #expect(fixture.askedPaths.last == "GET /end-session")
        }
    }

    @Test(arguments: [[("client_id", "shop")], []])
    func `without a hint there is one question`(parameters: [(String, String)]) async throws {
        try await SignInFixture.run(Self.options) { fixture in
            let browser = fixture.browser()
            _ = try await Self.signIn(fixture, browser)
            let signOut = try await Self.signOut(fixture, browser, parameters + Self.afterwards)
            #expect(signOut.questions == 1 && signOut.end == Self.end)
            #expect(fixture.provider.violations() == [])
        }
    }

    @Test func `after a change of the broker's signing keys there is one question`() async throws {
        try await SignInFixture.run(Self.options) { fixture in
            let browser = fixture.browser()
            let hint = try await Self.signIn(fixture, browser)
            var configuration = fixture.server.broker.configuration
            configuration.signingKeys = [Secret(P256.Signing.PrivateKey().pemRepresentation)]
            try fixture.server.broker.reload(configuration)
            let signOut = try await Self.signOut(fixture, browser, [("id_token_hint", hint)] + Self.afterwards)
            #expect(signOut.questions == 1 && signOut.end == Self.end)
            #expect(fixture.provider.violations() == [])
        }
    }

    /// The app's hint alone proves nothing, and the provider's page is the end, as it was for every user before.
    @Test func `another browser is asked, and has nothing that the provider demands`() async throws {
        try await SignInFixture.run(Self.options) { fixture in
            let hint = try await Self.signIn(fixture, fixture.browser())
            let signOut = try await Self.signOut(
                fixture, fixture.browser(), [("id_token_hint", hint)] + Self.afterwards)
            #expect(signOut.questions == 1)
            #expect(signOut.end.hasPrefix(fixture.provider.issuer + "/end-session?"))
            #expect(fixture.provider.violations().count == 1)
        }
    }
}
