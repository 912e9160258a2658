// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

/// What each kind of app gets, and what it does not get.
@Suite(.timeLimit(.minutes(10))) struct AppTests {
    @Test(arguments: [AppClient.publicApp, .basicApp, .postApp])
    func `public and confidential apps sign in`(app: AppClient) async throws {
        try await SignInFixture.run { fixture in
            let attempt = AppClient.Attempt()
            let response = try await fixture.signIn(fixture.browser(), app, attempt)
            let redeemed = try await fixture.redeemAndVerify(response, app, attempt).response
            let upstream = redeemed.json["upstream"]?.objectValue
            #expect((upstream != nil) == app.upstreamTokens)
            guard app.upstreamTokens else { return }
            #expect(upstream?["provider"]?.text?.makeString() == "oidc.acme")
            #expect(upstream?["claims"]?.objectValue?["sub"]?.text?.makeString() == "person-ada")
            #expect(upstream?["access_token"]?.text?.makeString().isEmpty == false)
            let nonce = try #require(upstream?["raw_nonce"]?.text?.makeString())
            #expect(upstream?["claims"]?.objectValue?["nonce"]?.text?.makeString() == nonce)
            #expect(nonce != attempt.nonce, "the app's nonce does not go to the provider")
        }
    }

    @Test func `an app on the device is gone on to only after the user said so, once`() async throws {
        try await SignInFixture.run { fixture in
            let app = AppClient.nativeApp
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let response = try await fixture.goToProvider(browser, app, attempt)
            let page = try await fixture.comeBack(browser, response)
            #expect(page.status == 200)
            #expect(page.location == nil)
            let form = try PageForm(page)
            let cookies = await browser.jar
            let end = try await browser.submit(form, of: page)
            _ = try await fixture.redeemAndVerify(try AppResponse(end, app: app), app, attempt)
            await browser.restore(cookies)
            #expect(try await browser.submit(form, of: page).status == 400)
        }
    }

    @Test func `an ID token is signed with RS256 where the broker has an RSA key`() async throws {
        var options = SignInFixture.Options()
        options.brokerHasRSAKey = true
        try await SignInFixture.run(options) { fixture in
            let attempt = AppClient.Attempt()
            let response = try await fixture.signIn(fixture.browser(), .publicApp, attempt)
            let redeemed = try await fixture.redeemAndVerify(response, .publicApp, attempt).response
            let header = try #require(redeemed["id_token"]?.split(separator: ".").first)
            let text = String(decoding: try #require(Base64URL.decode(String(header))), as: UTF8.self)
            #expect(text.contains("RS256"))
        }
    }

    @Test func `a code is redeemed once`() async throws {
        try await SignInFixture.run { fixture in
            let attempt = AppClient.Attempt()
            let response = try await fixture.signIn(fixture.browser(), .publicApp, attempt)
            _ = try await fixture.redeemAndVerify(response, .publicApp, attempt)
            let again = try await redeem(response, .publicApp, attempt.verifier, fixture)
            #expect(again.status == 400)
            #expect(again["error"] == "invalid_grant")
            #expect(again["id_token"] == nil)
        }
    }

    @Test func `a wrong code verifier burns the code`() async throws {
        try await SignInFixture.run { fixture in
            let attempt = AppClient.Attempt()
            let response = try await fixture.signIn(fixture.browser(), .publicApp, attempt)
            let wrong = try await redeem(response, .publicApp, AppClient.Attempt().verifier, fixture)
            #expect(wrong.status == 400)
            #expect(wrong["error"] == "invalid_grant")
            let right = try await redeem(response, .publicApp, attempt.verifier, fixture)
            #expect(right["error"] == "invalid_grant")
        }
    }

    @Test func `a code is valid for a minute`() async throws {
        try await SignInFixture.run { fixture in
            let attempt = AppClient.Attempt()
            let response = try await fixture.signIn(fixture.browser(), .publicApp, attempt)
            fixture.clock.advance(by: 61)
            let late = try await redeem(response, .publicApp, attempt.verifier, fixture)
            #expect(late["error"] == "invalid_grant")
        }
    }

    @Test func `another app cannot redeem the code`() async throws {
        try await SignInFixture.run { fixture in
            let attempt = AppClient.Attempt()
            let response = try await fixture.signIn(fixture.browser(), .publicApp, attempt)
            let other = try await redeem(response, .postApp, attempt.verifier, fixture)
            #expect(other["error"] == "invalid_grant")
        }
    }

    @Test(arguments: [
        AppClient.Authentication.none, .basic("wrong"), .post("wrong"),
    ])
    func `a confidential app without its secret gets nothing, and its code lives`(
        proof: AppClient.Authentication
    ) async throws {
        try await SignInFixture.run { fixture in
            let attempt = AppClient.Attempt()
            let response = try await fixture.signIn(fixture.browser(), .basicApp, attempt)
            var thief = AppClient.basicApp
            thief.authentication = proof
            let refused = try await redeem(response, thief, attempt.verifier, fixture)
            #expect(refused.status == 401)
            #expect(refused["error"] == "invalid_client")
            _ = try await fixture.redeemAndVerify(response, .basicApp, attempt)
        }
    }

    @Test func `a public app with a secret is not believed`() async throws {
        try await SignInFixture.run { fixture in
            let attempt = AppClient.Attempt()
            let response = try await fixture.signIn(fixture.browser(), .publicApp, attempt)
            var odd = AppClient.publicApp
            odd.authentication = .post("something")
            #expect(try await redeem(response, odd, attempt.verifier, fixture)["error"] == "invalid_client")
        }
    }

    private func redeem(
        _ response: AppResponse, _ app: AppClient, _ verifier: CodeVerifier, _ fixture: SignInFixture
    ) async throws -> AppClient.TokenResponseMembers {
        try await app.redeem(
            try #require(response.code), issuer: fixture.server.issuer, verifier: verifier, with: fixture.http)
    }
}
