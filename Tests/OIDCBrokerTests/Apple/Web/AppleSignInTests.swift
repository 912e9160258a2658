// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import NIOEmbedded
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// Sign-ins with Apple by the browser, through the whole broker.
@Suite struct AppleSignInTests {
    @Test func `a sign-in with Apple`() throws {
        let setup = try AppleSetup()
        var browser = Browser(setup.installation)
        let request = try browser.start(.back)
        #expect(request["response_type"] == "code id_token")
        #expect(request["response_mode"] == "form_post")
        #expect(request["scope"] == "openid name email")
        #expect(request["client_id"] == StubApple.servicesID)
        #expect(browser.jar.cookies.map(\.sameSite) == ["none"])
        let whole = try setup.signIn(.back)
        let upstream = try #require(whole["upstream"]?.objectValue)
        let raw = try #require(upstream["raw_nonce"]?.text?.makeString())
        #expect(upstream["claims"]?.objectValue?["nonce"]?.text?.makeString() == NoncePair(raw: raw).hashed)
        #expect(upstream["refresh_token"]?.text?.makeString() != nil)
        let claims = try setup.claims(of: whole)
        #expect(claims["provider"]?.text?.makeString() == "apple.com")
        #expect(claims["upstream_iss"]?.text?.makeString() == StubApple.issuer)
        #expect(claims["email"]?.text?.makeString() == "ada@example.com")
        #expect(claims["email_verified"] == true)
        #expect(setup.installation.log.outcomes == ["signed_in"])
    }

    @Test(.attack(.appleClientSecret)) func `a thousand parallel callbacks need one client secret`() throws {
        let setup = try AppleSetup()
        var callbacks: [(Browser, [(String, String)])] = []
        for _ in 0..<1000 {
            var browser = Browser(setup.installation)
            let fields = try setup.authenticate(&browser)
            callbacks.append((browser, fields))
        }
        // All of them are under way before the first is answered.
        let responses = try callbacks.map { browser, fields in
            PendingResponse(
                setup.installation.broker.respond(
                    to: BrokerRequest(
                        head: HTTPRequest(
                            method: .post, scheme: "https", authority: "auth.example.com", path: Installation.handler,
                            headerFields: [
                                .contentType: "application/x-www-form-urlencoded",
                                .cookie: try #require(
                                    browser.jar.field(now: setup.installation.clock.now(), onlyNone: true)),
                            ]),
                        body: .init(string: Query.encode(fields))),
                    on: setup.installation.eventLoop))
        }
        setup.installation.eventLoop.run()
        #expect(responses.allSatisfy { $0.response?.status == 303 })
        #expect(setup.apple.counts.codeExchanges == 1000)
        #expect(setup.apple.counts.clientSecrets == 1)
        #expect(Set(setup.apple.forms("/auth/token").compactMap { $0["client_secret"] }).count == 1)
    }

    @Test(.attack(.appleClientSecret)) func `the secret is remade at half its life, and lives ten minutes`() throws {
        let setup = try AppleSetup()
        for step in [0, 299, 1] as [Int64] {
            setup.installation.clock.advance(by: step)
            _ = try setup.signIn()
        }
        let secrets = setup.apple.forms("/auth/token").compactMap { $0["client_secret"] }
        #expect(secrets.count == 3)
        #expect(secrets[0] == secrets[1])
        #expect(secrets[1] != secrets[2])
        let claims = try StubApple.claims(of: secrets[2])
        #expect(claims["exp"]?.integerValue == 1_800_000_900)
        #expect(claims["iat"]?.integerValue == 1_800_000_295)
        #expect(claims["iss"]?.text?.makeString() == StubApple.teamID)
        #expect(claims["sub"]?.text?.makeString() == StubApple.servicesID)
        #expect(claims["aud"]?.text?.makeString() == StubApple.issuer)
    }

    @Test(.attack(.textualAppleBooleans), arguments: [false, true])
    func `Apple's truth values, as such or as text`(isText: Bool) throws {
        let setup = try AppleSetup(person: 1, writesBooleansAsText: isText)
        let claims = try setup.claims(of: try setup.signIn())
        #expect(claims["email_verified"] == true)
        #expect(claims["is_private_email"] == true)
        #expect(claims["email"]?.text?.makeString().hasSuffix("@privaterelay.appleid.com") == true)
        let open = try AppleSetup(person: 0, writesBooleansAsText: isText)
        #expect(try open.claims(of: try open.signIn())["is_private_email"] == false)
    }

    @Test(.attack(.missingAppleNonce), arguments: [BrokerConfiguration.NativeNonce.required, .optional])
    func `the web flow's nonce is there, whatever the token says`(rule: BrokerConfiguration.NativeNonce) throws {
        for misbehavior in [MockApple.Misbehavior.nonceUnsupported, .missingNonce, .wrongNonce] {
            let setup = try AppleSetup { $0.apps[0].nativeNonce = rule }
            setup.apple.behave(misbehavior)
            try expectRefusal(setup)
            #expect(setup.installation.log.text.contains("nonce"))
        }
    }

    @Test(.attack(.missingAppleNonce)) func `nor is a nonce missing from the token endpoint's only ID token`() throws {
        let setup = try AppleSetup { $0.providers[0].configuration.responseType = .code }
        setup.apple.behave(.nonceUnsupported)
        var browser = Browser(setup.installation)
        let location = try Location(try browser.bringForm(try setup.authenticate(&browser)))
        #expect(location["error"] == "server_error")
        #expect(location["code"] == nil)
        #expect(setup.installation.log.outcomes == ["failed_id_token"])
        #expect(setup.apple.forms("/auth/token").count == 1)
    }

    @Test(
        .attack(.appleAudienceSwap, .appleFrontChannelToken),
        arguments: [
            MockApple.Misbehavior.wrongAudience, .wrongIssuer, .wrongSignature, .wrongCodeHash, .missingCodeHash,
        ])
    func `an ID token that lies is refused before anything is sent`(
        misbehavior: MockApple.Misbehavior
    ) throws {
        let setup = try AppleSetup()
        setup.apple.behave(misbehavior)
        try expectRefusal(setup)
    }

    @Test(.attack(.appleAudienceSwap)) func `a native app's ID token is refused in the web flow`() throws {
        let setup = try AppleSetup()
        let native = try setup.apple.credential()
        try expectRefusal(setup) { fields in
            for index in fields.indices where fields[index].0 == "id_token" { fields[index].1 = native.idToken }
        }
    }

    @Test(.attack(.appleFrontChannelToken)) func `the token endpoint's ID token must be the same user's`() throws {
        let setup = try AppleSetup()
        setup.apple.behave(.otherSubjectFromTokenEndpoint)
        var browser = Browser(setup.installation)
        let location = try Location(try browser.bringForm(try setup.authenticate(&browser)))
        #expect(location["error"] == "server_error")
        #expect(location["code"] == nil)
        #expect(setup.installation.log.outcomes == ["failed_id_token"])
    }

    @Test(.attack(.appleCancellation)) func `who cancels at Apple has cancelled, without any error`() throws {
        let setup = try AppleSetup()
        var browser = Browser(setup.installation)
        let request = try browser.start()
        let response = try browser.bringForm([
            ("state", try #require(request["state"])), ("error", "user_cancelled_authorize"),
        ])
        #expect(try Location(response)["error"] == "access_denied")
        #expect(setup.installation.log.outcomes == ["cancelled"])
        #expect(setup.apple.paths.filter { $0 == "/auth/token" } == [])
    }

    @Test(.attack(.appleRealUserStatus, .appleTransfer))
    func `the real user status and the transfer identifier are handed on`() throws {
        // They come with native credentials, and with the tokens of an app that was transferred.
        let setup = try AppleSetup()
        for (value, expected) in [(2, 2), (1, 1), (0, 0), (7, 7)] as [(Int64, Int64)] {
            let credential = try setup.apple.credential(
                changes: ["real_user_status": .number(JSONNumber(value)), "transfer_sub": "000000.a.r"])
            let response = try setup.post("credential", setup.credentialForm(credential, hasCode: false))
            let claims = try setup.claims(of: try response.json())
            #expect(claims["real_user_status"]?.integerValue == expected)
            #expect(claims["transfer_sub"]?.text?.makeString() == "000000.a.r")
            setup.installation.clock.advance(by: 1)
        }
        // They are left out where they are not there, or are of another kind.
        let odd = try setup.apple.credential(changes: ["real_user_status": "likely", "transfer_sub": 7])
        let claims = try setup.claims(
            of: try setup.post("credential", setup.credentialForm(odd, hasCode: false)).json())
        #expect(claims["real_user_status"] == nil)
        #expect(claims["transfer_sub"] == nil)
    }

    @Test(.attack(.crossSiteFormPost, .withheldCookie))
    func `the form comes without cookies: our own page sends it once more, with the name`() throws {
        let setup = try AppleSetup()
        var browser = Browser(setup.installation)
        browser.withholdsCrossSiteCookies = true
        let fields = try setup.authenticate(&browser)
        #expect(fields.contains { $0.0 == "user" })
        let page = try browser.bringForm(fields)
        #expect(page.status == 200)
        let form = try PageForm(page)
        for (name, value) in fields { #expect(form.hidden.contains { $0 == (name, value) }, "\(name)") }
        #expect(!page.text.contains("<script"))
        #expect(try Location(try browser.submit(page))["code"] != nil)
        #expect(setup.installation.log.outcomes == ["reposting", "signed_in"])
        // The back button afterward: there is no second sign-in.
        let again = try browser.submit(try browser.bringForm(fields))
        #expect(again.heading == "This sign-in is finished or was interrupted")
        #expect(setup.apple.counts.codeExchanges == 1)
    }

    @Test(arguments: ["language", "locale"])
    func `the app's language is passed on`(name: String) throws {
        var browser = Browser(try AppleSetup().installation)
        let request = try Location(try browser.get(AppClient.shop.target([name: "de_DE"])))
        #expect(request[name] == "de_DE")
    }

    @Test func `beside other providers on the same path the ID token tells whose code it is`() throws {
        let setup = try AppleSetup(providers: ["acme"])
        var app = AppClient.shop
        app.provider = "apple.com"
        _ = try setup.signIn(app)
        var acme = AppClient.shop
        acme.provider = "acme"
        var browser = Browser(setup.installation)
        #expect(try browser.signIn(acme)["code"] != nil)
    }

    @Test func `without a Services ID the web flow says why not, and the user is not asked to choose it`() throws {
        let setup = try AppleSetup(providers: ["acme"]) { $0.providers[1].configuration.clientID = "" }
        var browser = Browser(setup.installation)
        var app = AppClient.shop
        // The other one is the only one there is to choose.
        #expect(try browser.start(app).base == "https://login.acme.example/authorize")
        app.provider = "apple"
        let location = try browser.start(app)
        #expect(location["error"] == "invalid_request")
        #expect(location["error_description"]?.contains("client-id") == true)
        #expect(location["state"] == "state-of-the-app")
        let alone = try AppleSetup { $0.providers[0].configuration.clientID = "" }
        var other = Browser(alone.installation)
        #expect(try other.start()["error_description"]?.contains("client-id") == true)
        #expect(alone.apple.paths == [])
    }

    /// A callback that is found wrong before Apple is asked for anything but its documents.
    private func expectRefusal(
        _ setup: AppleSetup, _ change: (inout [(String, String)]) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var browser = Browser(setup.installation)
        var fields = try setup.authenticate(&browser)
        change(&fields)
        let location = try Location(try browser.bringForm(fields), sourceLocation: sourceLocation)
        #expect(location["error"] == "server_error", sourceLocation: sourceLocation)
        #expect(location["code"] == nil, sourceLocation: sourceLocation)
        #expect(setup.installation.log.outcomes == ["failed_id_token"], sourceLocation: sourceLocation)
        #expect(setup.apple.paths.filter { $0 == "/auth/token" } == [], sourceLocation: sourceLocation)
    }
}
