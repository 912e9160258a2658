// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import OIDCBrokerTesting
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// The store cannot be filled without a sign-in.
struct CallbackWithoutClaimTests {
    @Test func `an error and a wrong or missing iss leave no claim: a store of one place is still free`() throws {
        let installation = try Installation(store: InMemorySingleUseStore(capacity: 1))
        var browser = Browser(installation)
        for round in 0..<5 {
            let refused = try installation.provider.refuse(try browser.start(), "access_denied")
            #expect(try Location(try browser.bring(refused))["error"] == "access_denied", "\(round)")
            for issuer in ["https://evil.example", nil] {
                var response = try browser.authenticate()
                response.removeAll { $0.0 == "iss" }
                if let issuer { response.append(("iss", issuer)) }
                #expect(try Location(try browser.bring(response))["error"] == "server_error", "\(round)")
            }
        }
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.signIn()["code"] != nil)
    }

    @Test func `an error that comes again says the same again: to the app with the cookie, else on a page`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try installation.provider.refuse(try browser.start(), "access_denied")
        let jar = browser.jar
        for _ in 0..<3 {
            browser.jar = jar
            #expect(try Location(try browser.bring(response))["error"] == "access_denied")
            #expect(browser.jar.cookies.isEmpty)
            let page = try browser.bring(response)
            #expect(page.status == 400)
            #expect(page.heading == "You did not sign in")
            #expect(page.setCookies.isEmpty)
        }
    }

    @Test func `an error after the code: the login is over, and the app is told nothing`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let jar = browser.jar
        #expect(try browser.bring(response).status == 303)
        let error = response.filter { $0.0 != "code" } + [("error", "access_denied")]
        for cookies in [jar, CookieJar()] {
            browser.jar = cookies
            #expect(try browser.bring(error).heading == "This sign-in is finished or was interrupted")
        }
    }

    @Test func `claims use no capacity of hand-offs`() throws {
        let store = InMemorySingleUseStore(capacity: 3)
        let installation = try Installation(store: store)
        for number: UInt8 in 0..<2 {
            #expect(store.claim(SingleUseKey(.login, [number]), owner: nil, seconds: 600) == .won)
        }
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        #expect(try Location(try browser.bring(try browser.authenticate()))["error"] == "temporarily_unavailable")
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `one user's 33rd unredeemed credential is refused for a time, and no other user's`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        for _ in 1..<32 { #expect(try browser.signIn(app)["code"] != nil) }
        let refused = try browser.signIn(app)
        #expect(refused["error"] == "temporarily_unavailable")
        #expect(refused["state"] == "state-of-the-app")
        #expect(installation.log.outcomes.last == "too_many_hand_offs")
        installation.provider.behave { $0.claims["sub"] = "bob" }
        #expect(try browser.signIn(app)["code"] != nil)
        installation.provider.behave { $0.claims = [:] }
        // One that was redeemed frees capacity for one.
        #expect(try installation.redeem(code, app).status == 200)
        #expect(try browser.signIn(app)["code"] != nil)
        #expect(try browser.signIn(app)["error"] == "temporarily_unavailable")
        installation.clock.advance(by: 60)
        #expect(try browser.signIn(app)["code"] != nil)
    }

    @Test func `a held hand-off lives as long as its login`() throws {
        for (wait, isThere): (Int64, Bool) in [(99, true), (100, false)] {
            let clock = TestClock()
            let store = InMemorySingleUseStore(capacity: 1, clock: TimeOf(clock), wallClock: clock)
            let installation = try Installation(clock: clock, store: store)
            var browser = Browser(installation)
            let response = try browser.authenticate(.desk)
            clock.advance(by: 500)
            let page = try browser.bring(response)
            #expect(page.status == 200)
            clock.advance(by: wait)
            // There is one place for what waits: it is free once the held one has ended.
            let put = store.put(SingleUseKey(.signInTicket, [1]), value: [1], owner: nil, seconds: 300)
            #expect(put == (isThere ? .full : .stored))
            #expect(try browser.submit(page).status == (isThere ? 303 : 400))
        }
    }

    @Test func `upstream members that are too long for a record are left out, the longest first, and named`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims["padding"] = .string(String(repeating: "x", count: 40_000)) }
        var browser = Browser(installation)
        // One app: each `AppClient.back` has a code verifier of its own.
        let app = AppClient.back
        let code = try #require(try browser.signIn(app)["code"])
        let response = try installation.redeem(code, app)
        #expect(response.status == 200)
        let upstream = try #require(try response.json()["upstream"]?.objectValue)
        #expect(upstream["omitted"]?.arrayValue?.map { $0.text?.makeString() } == ["id_token"])
        #expect(upstream["id_token"] == nil)
        #expect(upstream["access_token"]?.text != nil)
        #expect(upstream["refresh_token"]?.text != nil)
        #expect(upstream["claims"]?.objectValue?["sub"]?.text?.makeString() == TestProvider.subject)
        #expect(upstream["claims"]?.objectValue?["padding"]?.text?.utf8.count == 40_000)
        #expect(installation.log.text.contains("auth.omitted=id_token"))
        for secret in installation.provider.issuedSecrets { #expect(!installation.log.text.contains(secret)) }
    }

    @Test func `members that fit are all there, and nothing is named`() throws {
        let installation = try Installation()
        // Nearly all that fits: the ID token is a third longer than its claims.
        installation.provider.behave { $0.claims["padding"] = .string(String(repeating: "x", count: 25_000)) }
        var browser = Browser(installation)
        let app = AppClient.back
        let code = try #require(try browser.signIn(app)["code"])
        let upstream = try #require(try installation.redeem(code, app).json()["upstream"]?.objectValue)
        #expect(upstream["id_token"]?.text != nil)
        #expect(upstream["omitted"] == nil)
    }
}
