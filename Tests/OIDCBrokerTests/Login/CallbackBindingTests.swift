// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerPages

/// A callback belongs to the browser that began the login.
struct CallbackBindingTests {
    @Test(.attack(.replayedCallback))
    func `the same callback twice without the cookie: a page says so, and no second token request`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        #expect(try browser.bring(response).status == 303)
        let again = try browser.bring(response)
        #expect(again.status == 400)
        #expect(again.heading == "This sign-in is finished or was interrupted")
        #expect(again.text.contains("href=\"https://shop.example/\""))
        #expect(installation.provider.count("/token") == 1)
        #expect(installation.log.outcomes == ["signed_in", "already_finished"])
    }

    @Test(.attack(.replayedCallback))
    func `the same callback twice with the cookie: a page says so, and no second token request`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let jar = browser.jar
        #expect(try browser.bring(response).status == 303)
        for _ in 0..<3 {
            browser.jar = jar
            #expect(try browser.bring(response).heading == "This sign-in is finished or was interrupted")
        }
        #expect(installation.provider.count("/token") == 1)
    }

    @Test(.attack(.replayedCallback)) func `a failed callback is used up as well`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let jar = browser.jar
        installation.provider.behave { $0.deadPaths = ["/token"] }
        #expect(try Location(try browser.bring(response))["error"] == "temporarily_unavailable")
        installation.provider.behave { $0.deadPaths = [] }
        browser.jar = jar
        #expect(try browser.bring(response).status == 400)
        #expect(installation.provider.count("/token") == 1)
    }

    @Test(.attack(.loginCSRF)) func `another browser is refused, and uses nothing up`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        var other = Browser(installation)
        let page = try other.bring(response)
        #expect(page.status == 400)
        #expect(page.heading == "This sign-in was not begun here")
        #expect(page.setCookies.isEmpty)
        // Nor with the cookie of a login of its own.
        _ = try other.start()
        #expect(try other.bring(response).status == 400)
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.bring(response).status == 303)
    }

    @Test(.attack(.interleavedLogins)) func `ten tabs finish in reverse order`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var tabs: [(AppClient, [(String, String)])] = []
        for number in 0..<10 {
            var app = AppClient.shop
            app.state = "tab-\(number)"
            app.nonce = "nonce-\(number)"
            tabs.append((app, try browser.authenticate(app)))
        }
        for (app, response) in tabs.reversed() {
            let location = try Location(try browser.bring(response))
            #expect(location["state"] == app.state)
            let tokens = try installation.redeem(try #require(location["code"]), app)
            #expect(tokens.status == 200)
        }
        #expect(browser.jar.cookies.isEmpty)
    }

    @Test(.attack(.cookieBomb))
    func `of 200 starts the newest 24 can be finished, and the Cookie field stays small`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var responses: [[(String, String)]] = []
        for _ in 0..<200 {
            responses.append(try browser.authenticate())
            #expect(browser.jar.cookies.count <= 24)
        }
        let field = try #require(browser.jar.field(now: installation.clock.now(), onlyNone: false))
        #expect(field.utf8.count < 4096)
        for response in responses[176...] { #expect(try browser.bring(response).status == 303) }
        #expect(try browser.bring(responses[175]).heading == "This sign-in was not begun here")
    }

    @Test(.attack(.cookieTossing))
    func `a tossed cookie of the same name: refused, neither is used`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let cookie = try #require(browser.jar.cookies.first)
        let jar = browser.jar
        for value in [cookie.value, Base64URL.encode([UInt8](repeating: 1, count: 32)), ""] {
            browser.jar.toss(name: cookie.name, value: value)
            #expect(try browser.bring(response).status == 400)
            browser.jar = jar
            installation.clock.advance(by: 1)
        }
        #expect(installation.log.outcomes == ["duplicate_cookie", "duplicate_cookie", "duplicate_cookie"])
        #expect(try browser.bring(response).status == 303)
    }

    @Test(.attack(.loginCookieOfAnotherProvider))
    func `the cookie of one provider's login does not serve for another's`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        var atAcme = AppClient.shop
        atAcme.provider = "acme"
        var atGlobex = AppClient.shop
        atGlobex.provider = "globex"
        _ = try browser.authenticate(atAcme)
        let response = try browser.authenticate(atGlobex)
        let cookies = browser.jar.cookies
        browser.jar.replace(cookies[1].name, with: cookies[0].value)
        let location = try Location(try browser.bring(response))
        #expect(location["error"] == "server_error")
        #expect(location["code"] == nil)
    }

    @Test func `with another binding value the nonce does not match either, should the provider ignore PKCE`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.checksProofKey = false }
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let cookie = try #require(browser.jar.cookies.first)
        browser.jar.replace(cookie.name, with: Base64URL.encode([UInt8](repeating: 1, count: 32)))
        let location = try Location(try browser.bring(response))
        #expect(location["error"] == "server_error")
        #expect(installation.log.text.contains("nonce"))
    }

    @Test func `an attacker's code with the victim's state is refused by PKCE, and by the nonce`() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let stolen = try attacker.authenticate()
        for checksProofKey in [true, false] {
            installation.provider.behave { $0.checksProofKey = checksProofKey }
            var victim = Browser(installation)
            var response = try victim.authenticate()
            response[0] = stolen[0]
            #expect(try Location(try victim.bring(response))["error"] == "server_error")
        }
    }
}
