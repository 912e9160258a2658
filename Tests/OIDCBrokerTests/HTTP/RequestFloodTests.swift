// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages

/// Starts, cookies and forms in large numbers.
struct RequestFloodTests {
    @Test(.attack(.cookieBomb))
    func `starts keep nothing: two hundred of them, with a store that takes nothing`() throws {
        let store = FaultyStore(InMemorySingleUseStore(capacity: 1))
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
}
