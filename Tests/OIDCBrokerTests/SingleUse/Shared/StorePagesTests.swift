// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The words for a login that another request took, and for a store that is away.
struct StorePagesTests {
    private static let finished = "This sign-in is finished or was interrupted"
    private static let unavailable = "Signing in is not possible right now"

    /// What a user reads, who comes back with a login that another request took.
    private func expectBothWaysOn(_ page: BrokerResponse, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(page.status == 400, sourceLocation: sourceLocation)
        #expect(page.heading == Self.finished, sourceLocation: sourceLocation)
        #expect(page.text.contains("It cannot be used again"), sourceLocation: sourceLocation)
        #expect(page.text.contains("you may already be signed in there"), sourceLocation: sourceLocation)
        #expect(page.text.contains("If you are not, start again"), sourceLocation: sourceLocation)
        #expect(!page.text.contains(Self.unavailable), sourceLocation: sourceLocation)
        // A page that loads itself would be a loop.
        #expect(page.head.headerFields[.retryAfter] == nil, sourceLocation: sourceLocation)
        #expect(page.head.headerFields[.location] == nil, sourceLocation: sourceLocation)
    }

    @Test func `a reload of the callback: it is finished, or to be begun again`() throws {
        let clock = TestClock()
        var browser = Browser(try Installation(clock: clock, store: ReferenceStore(clock: clock)))
        let response = try browser.authenticate()
        let jar = browser.jar
        #expect(try Location(try browser.bring(response))["code"] != nil)
        for _ in 0..<2 {
            browser.jar = jar
            let page = try browser.bring(response)
            expectBothWaysOn(page)
            #expect(page.text.contains("id=\"link\" href=\"https://shop.example/\""))
            // Only the app can make the request of another sign-in.
            #expect(page.text.contains("id=\"other-link\" href=\"https://shop.example/callback?error="))
        }
    }

    @Test func `a replica that died in the callback: the same words, although the app has no code`() throws {
        let clock = TestClock()
        let store = ReferenceStore(clock: clock)
        let first = try Installation(clock: clock, store: store)
        let second = try Installation(stubs: first.providers, clock: clock, store: store)
        var browser = Browser(first)
        let response = try browser.authenticate()
        let jar = browser.jar
        // It claimed the login, and its answer never came.
        _ = try browser.bring(response)
        browser.installation = second
        browser.jar = jar
        expectBothWaysOn(try browser.bring(response))
        #expect(first.provider.count("/token") == 1)
    }

    @Test func `another press of Continue says the same`() throws {
        let clock = TestClock()
        var browser = Browser(try Installation(clock: clock, store: ReferenceStore(clock: clock)))
        let page = try browser.bring(try browser.authenticate(.desk))
        let jar = browser.jar
        #expect(try Location(try browser.submit(page))["code"] != nil)
        browser.jar = jar
        expectBothWaysOn(try browser.submit(page))
    }

    @Test func `away at Continue: a page that says to wait and to try again, and never that it is finished`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let page = try browser.bring(try browser.authenticate(.desk))
        store.fail(after: 0)
        let away = try browser.submit(page)
        #expect(away.status == 503)
        #expect(away.heading == Self.unavailable)
        #expect(away.text.contains("busy or does not answer. Wait a few minutes"))
        #expect(away.text.contains("go back to the app or website and try again"))
        #expect(!away.text.contains(Self.finished))
        #expect(away.head.headerFields[.retryAfter] == "5")
        #expect(away.head.headerFields[.location] == nil)
    }

    @Test func `away at the callback: the app is told, and its code is not used up at the provider`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let response = try browser.authenticate()
        store.fail(after: 0)
        #expect(try Location(try browser.bring(response))["error"] == "temporarily_unavailable")
        #expect(installation.provider.count("/token") == 0)
    }

    @Test func `away at the redemption: the app may ask again in a second`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        store.fail(after: 0)
        let response = try installation.redeem(code, app)
        #expect(response.status == 503)
        #expect(response.head.headerFields[.retryAfter] == "1")
        store.fail(after: nil)
        installation.letTimePass(seconds: 1)
        #expect(try installation.redeem(code, app).status == 200)
    }
}
