// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker

/// Attacks on state, cookies and callbacks that are in no other suite.
struct StateRowTests {
    @Test(.attack(.missingOrDuplicateState)) func `without a valid state nothing is requested`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        for query in ["code=x", "code=x&state=", "code=x&state=a&state=b", "code=x&state=a", "state=a", ""] {
            #expect(try browser.get(Installation.handler + "?" + query).status == 400, "\(query)")
        }
        #expect(installation.provider.requests.isEmpty)
    }

    @Test(.attack(.replayedCallback, .expiredState, .loginCookieOfAnotherProvider))
    func `a failed callback offers a way on, and is never a 5xx`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let late = try browser.authenticate()
        let jar = browser.jar
        #expect(try browser.bring(response).status == 303)
        browser.jar = jar
        let replayed = try browser.bring(response)
        installation.clock.advance(by: 600)
        let expired = try browser.bring(late)
        for page in [replayed, expired] {
            #expect(page.status == 400)
            #expect(page.text.contains("href=\"https://shop.example/\""))
            #expect(page.text.contains("start again"))
        }
        #expect(installation.log.outcomes == ["signed_in", "already_finished", "expired"])
    }

    @Test(.attack(.cookieBomb))
    func `starts keep nothing: two hundred of them, with a store that takes nothing`() throws {
        let store = FailingStore(capacity: 1)
        store.fail(after: 0)
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        for _ in 0..<200 { #expect(try browser.get(AppClient.shop.target()).status == 303) }
        store.fail(after: nil)
        // The one place is still free: full only now.
        #expect(try Location(try browser.bring(try browser.authenticate()))["code"] != nil)
        let location = try Location(try browser.bring(try browser.authenticate()))
        #expect(location["error"] == "temporarily_unavailable")
        #expect(installation.provider.count("/token") == 1)
    }

    // A cookie bomb: cookies of a sibling domain that leave no room for ours.
    @Test(.attack(.cookieBomb))
    func `hundreds of foreign cookies hide ours at worst: a page, no sign-in, no 5xx`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let own = try #require(browser.jar.field(now: installation.clock.now(), onlyNone: false))
        let bombs = [
            (0..<400).map { "c\($0)=v" }.joined(separator: "; "), String(repeating: ";", count: 8000),
            String(repeating: "=", count: 8000), String(repeating: "x", count: 8000),
            (0..<400).map { "__Host-oidc-\(String(repeating: "A", count: 8))\(100 + $0)=v" }.joined(separator: "; "),
        ]
        for bomb in bombs {
            let page = try browser.get(Installation.handler + "?" + Query.encode(response)) { $0[.cookie] = bomb }
            #expect(page.status == 400)
            #expect(try browser.get(AppClient.shop.target()) { $0[.cookie] = bomb }.status == 303)
        }
        let behind = try browser.get(Installation.handler + "?" + Query.encode(response)) {
            $0[.cookie] = bombs[0] + "; " + own
        }
        #expect(behind.heading == "This sign-in was not begun here")
        #expect(try browser.bring(response).status == 303)
    }

    // There is no session of the broker: the login is all there is to preset.
    @Test(.attack(.sessionFixation)) func `a start takes no id or cookie that is there already: both are new`() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let preset = try attacker.start()
        let cookie = try #require(attacker.jar.cookies.first)
        var victim = Browser(installation)
        victim.jar = attacker.jar
        let request = try victim.start()
        #expect(request["state"] != preset["state"])
        #expect(request["nonce"] != preset["nonce"])
        #expect(request["code_challenge"] != preset["code_challenge"])
        let own = try #require(victim.jar.cookies.first { $0.name != cookie.name })
        #expect(own.value != cookie.value)
        // A client that knows only the preset cookie cannot finish the login.
        attacker.jar.replace(cookie.name, with: cookie.value)
        #expect(try attacker.bring(installation.provider.signIn(request)).status == 400)
    }

    @Test(.attack(.oversizedForm))
    func `a form of a hundred thousand parameters, or of one that is too long to be any, is a page`() throws {
        let installation = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let good = Query.encode(response)
        for body in [
            good + String(repeating: "&a", count: 30_000), good + String(repeating: "&", count: 60_000) + "&state=b",
            String(repeating: "a=&", count: 20_000), good + "&code=" + String(repeating: "c", count: 60_000),
            String(repeating: "%", count: 60_000), "state=" + String(repeating: "A", count: 65_000),
        ] {
            let page = try browser.post(
                Installation.handler, body: body, site: .crossSite, origin: installation.provider.issuer)
            #expect(page.status == 400)
        }
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.bringForm(response).status == 303)
    }

    @Test(.attack(.hostileProviderError))
    func `access_denied is told to an app, and is a page where there is none to tell; never the description`()
        throws
    {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try browser.start()
        let text = "<script>alert(1)</script>" + String(repeating: "d", count: 600)
        let response = try installation.provider.refuse(request, "access_denied", description: text)
        var other = Browser(installation)
        let page = try other.bring(response)
        #expect(page.status == 400)
        #expect(!page.text.contains("alert(1)"))
        let location = try Location(try browser.bring(response))
        #expect(location["error"] == "access_denied")
        #expect(!location.text.contains("alert"))
        #expect(!installation.log.text.contains("ddd"))
    }

    @Test(.attack(.silentLoginLoop))
    func `login_required is told to the app once, without a redirect to the provider`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try Location(try browser.get(AppClient.shop.target(["prompt": "none"])))
        #expect(request["prompt"] == "none")
        let location = try Location(try browser.bring(installation.provider.refuse(request, "login_required")))
        #expect(location.base == "https://shop.example/callback")
        #expect(location["error"] == "login_required")
        #expect(browser.jar.cookies.isEmpty)
    }

    // A third party that starts a login has no way but the app's own request: there is no initiate_login_uri.
    @Test(.attack(.thirdPartyStart))
    func `what a third party adds to a start is ignored: issuer, target, scopes, account`() throws {
        let installation = try Installation(providers: ["acme", "globex"]) { $0.apps[0].providers = ["acme"] }
        let more = [
            ("iss", "https://login.globex.example"), ("target_link_uri", "https://evil.example/"),
            ("scp", "admin"), ("account", "x"), ("redirect", "https://evil.example/"),
        ]
        var browser = Browser(installation)
        let target = AppClient.shop.target(["scope": "openid admin offline_access"], adding: more)
        let request = try Location(try browser.get(target))
        #expect(request.base == "https://login.acme.example/authorize")
        #expect(request["scope"] == "openid")
        #expect(request.query.names.count == 8)
        #expect(!request.text.contains("evil.example"))
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        #expect(location.base == "https://shop.example/callback")
        #expect(try installation.get("/__/auth/login?iss=https://login.acme.example").status == 404)
    }
}
