// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// A store that is full or out of reach.
struct StoreOutageTests {
    private func expectUnavailable(
        _ response: BrokerResponse, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let location = try Location(response, sourceLocation: sourceLocation)
        #expect(location["error"] == "temporarily_unavailable", sourceLocation: sourceLocation)
        #expect(location["state"] == "state-of-the-app", sourceLocation: sourceLocation)
        #expect(location["iss"] == Installation.issuer, sourceLocation: sourceLocation)
    }

    @Test func `full at the claim: the app is told, nothing is asked of the provider, and what lives is kept`() throws {
        let installation = try Installation(store: InMemorySingleUseStore(capacity: 1))
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        try expectUnavailable(try browser.bring(try browser.authenticate()))
        #expect(installation.provider.count("/token") == 1)
        #expect(installation.log.outcomes == ["signed_in", "store_unavailable"])
        let response = try installation.redeem(code, app)
        #expect(response.status == 200)
        // A second redemption could not be recognized, so the access token is not valid.
        let token = try #require(try response.json()["access_token"]?.text?.makeString())
        let fields: HTTPFields = [.authorization: "Bearer \(token)"]
        #expect(try installation.get("/__/auth/userinfo", fields: fields).status == 401)
    }

    @Test func `full at the hand-off: the app is told`() throws {
        let store = InMemorySingleUseStore(capacity: 1)
        let installation = try Installation(store: store)
        #expect(store.put(SingleUseKey(.handOff, [1]), value: [1], owner: nil, seconds: 60) == .stored)
        var browser = Browser(installation)
        try expectUnavailable(try browser.bring(try browser.authenticate()))
        #expect(installation.log.outcomes == ["store_unavailable"])
        #expect(installation.provider.count("/token") == 1)
    }

    @Test(arguments: [0, 1])
    func `out of reach at the claim, or at the hand-off`(calls: Int) throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let response = try browser.authenticate()
        store.fail(after: calls)
        try expectUnavailable(try browser.bring(response))
        #expect(installation.provider.count("/token") == calls)
        #expect(installation.log.outcomes == ["store_unavailable"])
    }

    @Test func `out of reach where a device's app would have to wait for the user`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let response = try browser.authenticate(.desk)
        store.fail(after: 1)
        try expectUnavailable(try browser.bring(response))
    }

    @Test(arguments: [0, 1])
    func `out of reach when the user goes on: never a code, never a 500`(calls: Int) throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let page = try browser.bring(try browser.authenticate(.desk))
        store.fail(after: calls)
        let response = try browser.submit(page)
        #expect(response.status == 503 || response.status == 303)
        #expect(response.head.headerFields[.location]?.contains("code=") != true)
    }

    @Test func `out of reach when only the wording of a page hangs on it`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let response = try browser.authenticate()
        browser.jar = CookieJar()
        store.fail(after: 0)
        let page = try browser.bring(response)
        #expect(page.status == 400)
        #expect(page.heading == "This sign-in was not begun here")
    }
}
