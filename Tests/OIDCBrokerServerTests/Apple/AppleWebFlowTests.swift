// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import JOSE
import NIOHTTP1
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import SignInWithAppleTesting
import Testing
import TestingSupport

/// Whole sign-ins with Apple by the browser, on real sockets with TLS.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppleWebFlowTests {
    private static var withPages: AppleFixture.Options {
        var options = AppleFixture.Options()
        options.interaction = .page
        return options
    }

    @Test(.attack(.appleFrontChannelToken))
    func `a first sign-in: code and ID token by a cross-site form, a relay address, a name`() async throws {
        try await AppleFixture.run(Self.withPages) { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let login = try await fixture.goToApple(browser, .publicApp, attempt)
            let query = try FormURLEncoding.parse(login.url.drop { $0 != "?" }.dropFirst().utf8)
            #expect(try query.value("response_mode") == "form_post")
            #expect(try query.value("response_type") == "code id_token")
            let scopes = try query.value("scope")?.makeString().split(separator: " ").sorted()
            #expect(scopes == ["email", "name", "openid"])
            #expect(try query.value("nonce")?.utf8.count == 64, "the hash, in hexadecimal; the raw one stays here")
            let cookies = await browser.jar.cookies
            #expect(cookies.map(\.sameSite) == ["none"])

            let consent = try await fixture.logIn(browser, login, as: AppleFixture.grace)
            let form = try PageForm(consent)
            #expect(form.inputs == ["given_name", "family_name"])
            let page = try await browser.submit(
                form, of: consent,
                [
                    ("given_name", "Grace"), ("family_name", "<b>Example</b>"), ("email_choice", "hide"),
                    ("decision", "allow"),
                ])
            let names = try PageForm(page).hidden.map { $0.0 }
            #expect(names == ["state", "code", "id_token", "user"])
            let response = try AppResponse(try await fixture.comeBack(browser, page), app: .publicApp)
            let signedIn = try await fixture.redeem(response, .publicApp, attempt)

            #expect(signedIn.token.email?.hasSuffix("@privaterelay.appleid.com") == true)
            #expect(signedIn.token.isEmailVerified == true)
            #expect(signedIn.claims["is_private_email"] == true)
            // Beside the token and not in it, as text and not as markup's escape, without an address.
            #expect(signedIn.token.name == nil)
            #expect(
                signedIn.user == [
                    "given_name": "Grace", "family_name": "<b>Example</b>", "name": "Grace <b>Example</b>",
                ])
            #expect(fixture.apple.counts().codeExchanges == 1)
            #expect(fixture.apple.clientSecretRefusals() == [])
            #expect(await browser.jar.cookies.isEmpty, "the callback deletes its cookie")
        }
    }

    @Test(.attack(.unsignedAppleUser)) func `the second sign-in is asked for no name and brings none`() async throws {
        try await AppleFixture.run(Self.withPages) { fixture in
            let browser = fixture.browser()
            var subjects: [String] = []
            for isFirst in [true, false] {
                let attempt = AppClient.Attempt()
                let login = try await fixture.goToApple(browser, .publicApp, attempt)
                let consent = try await fixture.logIn(browser, login, as: AppleFixture.ada)
                let form = try PageForm(consent)
                #expect(form.inputs == (isFirst ? ["given_name", "family_name"] : []))
                let page = try await browser.submit(form, of: consent, [("decision", "allow")])
                let hasUser = try PageForm(page).hidden.contains { $0.0 == "user" }
                #expect(hasUser == isFirst)
                let response = try AppResponse(try await fixture.comeBack(browser, page), app: .publicApp)
                let signedIn = try await fixture.redeem(response, .publicApp, attempt)
                #expect(signedIn.user?["name"]?.text?.makeString() == (isFirst ? "Ada Example" : nil))
                #expect(signedIn.token.email == "ada@example.com")
                subjects.append(signedIn.token.subject)
            }
            #expect(Set(subjects).count == 1)
        }
    }

    @Test(.attack(.appleCancellation))
    func `the user cancels: the app is told access_denied, and Apple is asked nothing`() async throws {
        let log = OutcomeLog()
        var options = Self.withPages
        options.logger = log.logger
        try await AppleFixture.run(options) { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let login = try await fixture.goToApple(browser, .publicApp, attempt)
            let consent = try await fixture.logIn(browser, login, as: AppleFixture.ada)
            let page = try await browser.submit(try PageForm(consent), of: consent, [("decision", "deny")])
            let fields = try PageForm(page).hidden
            #expect(fields.contains { $0.0 == "error" && $0.1 == "user_cancelled_authorize" })
            let response = try AppResponse(try await fixture.comeBack(browser, page), app: .publicApp)
            #expect(response.error == "access_denied")
            #expect(response.state == attempt.state)
            #expect(response.issuer == fixture.issuer)
            #expect(fixture.asked("/auth/token").isEmpty)
            #expect(log.outcomes.last?.label == "cancelled")
            #expect(await browser.jar.cookies.isEmpty)
        }
    }

    @Test(.attack(.unsignedAppleUser))
    func `the name survives a failed code exchange, and then an unredeemed code`() async throws {
        try await AppleFixture.run { fixture in
            let browser = fixture.browser()
            fixture.apple.set(.tokenEndpointUnavailable)
            let attempt = AppClient.Attempt()
            let first = try await fixture.goToApple(browser, .publicApp, attempt)
            let hasUser = try PageForm(first).hidden.contains { $0.0 == "user" }
            #expect(hasUser)
            let failed = try AppResponse(try await fixture.comeBack(browser, first), app: .publicApp)
            #expect(failed.error == "temporarily_unavailable")
            #expect(failed.code == nil)

            fixture.apple.set(.none)
            fixture.clock.advance(by: 60)
            let second = try await fixture.goToApple(browser, .publicApp, AppClient.Attempt())
            let comesAgain = try PageForm(second).hidden.contains { $0.0 == "user" }
            #expect(!comesAgain, "Apple sends it once")
            let lost = try AppResponse(try await fixture.comeBack(browser, second), app: .publicApp)
            #expect(lost.code != nil)

            let third = try await fixture.signIn(browser)
            #expect(third.user?["name"] == "Ada Example")
            // An app has it now, so it is no longer kept.
            let fourth = try await fixture.signIn(browser)
            #expect(fourth.user == nil)
        }
    }

    @Test(.attack(.textualAppleBooleans), arguments: [false, true])
    func `truth values, whether Apple writes them as text or not`(isText: Bool) async throws {
        var options = AppleFixture.Options()
        options.interaction = .automatic(1)
        options.writesBooleansAsText = isText
        try await AppleFixture.run(options) { fixture in
            let signedIn = try await fixture.signIn(fixture.browser())
            #expect(signedIn.token.isEmailVerified == true)
            #expect(signedIn.claims["is_private_email"] == true)
        }
    }

    @Test(arguments: [ResponseType.code, .codeIDToken], [true, false])
    func `both response types, over HTTP/2 and HTTP/1.1`(type: ResponseType, isHTTP2: Bool) async throws {
        var options = AppleFixture.Options()
        options.responseType = type
        options.version = isHTTP2 ? .automatic : .http1Only
        try await AppleFixture.run(options) { fixture in
            let signedIn = try await fixture.signIn(fixture.browser())
            #expect(signedIn.token.email == "ada@example.com")
            let exchange = try #require(fixture.asked("/auth/token").first)
            #expect(exchange.parameter("client_id") == AppleFixture.servicesID)
            #expect(exchange.parameter("redirect_uri") == fixture.callbackURL)
            #expect(exchange.header("authorization") == nil, "Apple takes the client secret in the form only")
        }
    }

    @Test(
        .attack(.missingAppleNonce, .appleFrontChannelToken),
        arguments: [
            MockApple.Misbehavior.otherSubjectFromTokenEndpoint, .wrongCodeHash, .missingCodeHash, .missingNonce,
            .nonceUnsupported, .wrongNonce, .wrongSignature, .wrongAudience, .wrongIssuer,
        ])
    func `an invalid response does not sign in`(misbehavior: MockApple.Misbehavior) async throws {
        try await AppleFixture.run { fixture in
            let browser = fixture.browser()
            fixture.apple.set(misbehavior)
            let page = try await fixture.goToApple(browser, .publicApp, AppClient.Attempt())
            let response = try AppResponse(try await fixture.comeBack(browser, page), app: .publicApp)
            #expect(response.error == "server_error")
            #expect(response.code == nil)
            // The ID token that came with the code is validated before the code is sent anywhere.
            let isFoundLate = misbehavior == .otherSubjectFromTokenEndpoint
            #expect(fixture.asked("/auth/token").count == (isFoundLate ? 1 : 0))
        }
    }

    @Test(.attack(.unsignedAppleUser)) func `an address in the field user is never read`() async throws {
        try await AppleFixture.run { fixture in
            fixture.apple.set(.otherEmailInUser)
            let signedIn = try await fixture.signIn(fixture.browser())
            #expect(signedIn.token.email == "ada@example.com")
            let text = String(decoding: signedIn.response.json.serialized(), as: UTF8.self)
            #expect(!text.contains("victim"))
            #expect(signedIn.user?["email"] == nil)
        }
    }

    @Test(.attack(.unsignedAppleUser), arguments: [MockApple.Misbehavior.scriptInUser, .longUser, .malformedUser])
    func `whatever is in the field user, the sign-in succeeds`(misbehavior: MockApple.Misbehavior) async throws {
        try await AppleFixture.run { fixture in
            fixture.apple.set(misbehavior)
            let signedIn = try await fixture.signIn(fixture.browser())
            let name = signedIn.user?["given_name"]?.text?.makeString()
            switch misbehavior {
            case .scriptInUser: #expect(name == "<script>alert(1)</script>")
            case .longUser: #expect(name == String(repeating: "x", count: 255))
            default: #expect(signedIn.user == nil)
            }
        }
    }

    @Test(.attack(.unsignedAppleUser))
    func `a field user longer than a body may be is not read, and uses nothing up`() async throws {
        try await AppleFixture.run { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let page = try await fixture.goToApple(browser, .publicApp, attempt)
            let form = try PageForm(page)
            var oversized = form
            oversized.hidden.removeAll { $0.0 == "user" }
            oversized.hidden.append(("user", String(repeating: "x", count: 100_000)))
            // Refused while the body is still on its way: a client may see the end of the stream in its place.
            let response = try? await browser.submit(oversized, of: page)
            #expect(response == nil || response?.status == 413)
            #expect(fixture.asked("/auth/token").isEmpty)
            let good = try AppResponse(try await browser.submit(form, of: page), app: .publicApp)
            let signedIn = try await fixture.redeem(good, .publicApp, attempt)
            #expect(signedIn.user?["name"] == "Ada Example")
        }
    }
}
