// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker

@Suite("A return belongs to the browser that began the login")
struct ReturnBindingTests {
    @Test("S2 the same return twice, the cookie gone: said so, and no second token request")
    func replay() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        #expect(try browser.bring(answer).status == 303)
        let again = try browser.bring(answer)
        #expect(again.status == 400)
        #expect(again.heading == "You have already signed in")
        #expect(again.text.contains("href=\"https://shop.example/\""))
        #expect(installation.provider.count("/token") == 1)
        #expect(installation.log.outcomes == ["signed_in", "already_finished"])
    }

    @Test("S2 the same return twice, the cookie still there: said so, and no second token request")
    func replayWithCookie() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        let jar = browser.jar
        #expect(try browser.bring(answer).status == 303)
        for _ in 0..<3 {
            browser.jar = jar
            #expect(try browser.bring(answer).heading == "You have already signed in")
        }
        #expect(installation.provider.count("/token") == 1)
    }

    @Test("S2 a return that failed is used up as well")
    func replayOfFailure() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        let jar = browser.jar
        installation.provider.behave { $0.deadPaths = ["/token"] }
        #expect(try Location(try browser.bring(answer))["error"] == "temporarily_unavailable")
        installation.provider.behave { $0.deadPaths = [] }
        browser.jar = jar
        #expect(try browser.bring(answer).status == 400)
        #expect(installation.provider.count("/token") == 1)
    }

    @Test("S3 another browser is refused, and uses nothing up")
    func otherBrowser() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        var other = Browser(installation)
        let page = try other.bring(answer)
        #expect(page.status == 400)
        #expect(page.heading == "This sign-in was not begun here")
        #expect(page.setCookies.isEmpty)
        // Nor with the cookie of a login of its own.
        _ = try other.start()
        #expect(try other.bring(answer).status == 400)
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.bring(answer).status == 303)
    }

    @Test("S5 ten tabs finish in reverse order")
    func tabs() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var tabs: [(AppClient, [(String, String)])] = []
        for number in 0..<10 {
            var app = AppClient.shop
            app.state = "tab-\(number)"
            app.nonce = "nonce-\(number)"
            tabs.append((app, try browser.authenticate(app)))
        }
        for (app, answer) in tabs.reversed() {
            let location = try Location(try browser.bring(answer))
            #expect(location["state"] == app.state)
            let tokens = try installation.redeem(try #require(location["code"]), app)
            #expect(tokens.status == 200)
        }
        #expect(browser.jar.cookies.isEmpty)
    }

    @Test("S6 of 200 starts the newest 24 can be finished, and the Cookie field stays small")
    func manyStarts() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var answers: [[(String, String)]] = []
        for _ in 0..<200 {
            answers.append(try browser.authenticate())
            #expect(browser.jar.cookies.count <= 24)
        }
        let field = try #require(browser.jar.field(now: installation.clock.now(), onlyNone: false))
        #expect(field.utf8.count < 4096)
        for answer in answers[176...] { #expect(try browser.bring(answer).status == 303) }
        #expect(try browser.bring(answers[175]).heading == "This sign-in was not begun here")
    }

    @Test("S7 a cookie of the same name that somebody tossed in: refused, neither is taken")
    func tossing() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        let cookie = try #require(browser.jar.cookies.first)
        let jar = browser.jar
        for value in [cookie.value, Base64URL.encode([UInt8](repeating: 1, count: 32)), ""] {
            browser.jar.toss(name: cookie.name, value: value)
            #expect(try browser.bring(answer).status == 400)
            browser.jar = jar
            installation.clock.advance(by: 1)
        }
        #expect(installation.log.outcomes == ["doubled_cookie", "doubled_cookie", "doubled_cookie"])
        #expect(try browser.bring(answer).status == 303)
    }

    @Test("S8 the cookie of one provider's login does not serve for another's")
    func foreignCookie() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        var atAcme = AppClient.shop
        atAcme.provider = "acme"
        var atGlobex = AppClient.shop
        atGlobex.provider = "globex"
        _ = try browser.authenticate(atAcme)
        let answer = try browser.authenticate(atGlobex)
        let cookies = browser.jar.cookies
        browser.jar.replace(cookies[1].name, with: cookies[0].value)
        let location = try Location(try browser.bring(answer))
        #expect(location["error"] == "server_error")
        #expect(location["code"] == nil)
    }

    @Test("with another binding value the nonce does not match either, should the provider ignore PKCE")
    func nonce() throws {
        let installation = try Installation()
        installation.provider.behave { $0.checksProofKey = false }
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        let cookie = try #require(browser.jar.cookies.first)
        browser.jar.replace(cookie.name, with: Base64URL.encode([UInt8](repeating: 1, count: 32)))
        let location = try Location(try browser.bring(answer))
        #expect(location["error"] == "server_error")
        #expect(installation.log.text.contains("nonce"))
    }

    @Test("an attacker's code with the victim's state is refused by PKCE, and by the nonce")
    func codeInjection() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let stolen = try attacker.authenticate()
        for checksProofKey in [true, false] {
            installation.provider.behave { $0.checksProofKey = checksProofKey }
            var victim = Browser(installation)
            var answer = try victim.authenticate()
            answer[0] = stolen[0]
            #expect(try Location(try victim.bring(answer))["error"] == "server_error")
        }
    }
}
