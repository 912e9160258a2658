// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// Three replicas that share a store: a sign-in begins at one, comes back at another, and is redeemed at the third.
struct ReplicaTests {
    private let clock = TestClock()

    /// Replicas with one configuration, the same providers and one store.
    private func replicas(_ count: Int = 3) throws -> [Installation] {
        let store = ReferenceStore(clock: clock)
        let first = try Installation(clock: clock, store: store)
        let others = try (1..<count).map { _ in
            try Installation(stubs: first.providers, clock: clock, store: store)
        }
        return [first] + others
    }

    @Test func `no sign-in needs the replica that it began at`() throws {
        let replicas = try replicas()
        let app = AppClient.shop
        for shift in 0..<3 {
            var browser = Browser(replicas[shift])
            let response = try browser.authenticate(app)
            browser.installation = replicas[(shift + 1) % 3]
            let code = try #require(try Location(try browser.bring(response))["code"])
            #expect(try replicas[(shift + 2) % 3].redeem(code, app).status == 200)
        }
    }

    @Test func `a callback that comes at two of them gives one credential`() throws {
        let replicas = try replicas()
        var browser = Browser(replicas[0])
        let response = try browser.authenticate()
        let jar = browser.jar
        #expect(try Location(try browser.bring(response))["code"] != nil)
        for replica in replicas.dropFirst() {
            browser.installation = replica
            browser.jar = jar
            #expect(try browser.bring(response).heading == "This sign-in is finished or was interrupted")
        }
        #expect(replicas[0].provider.count("/token") == 1)
    }

    @Test func `a code is redeemed at one of them, and a repetition at another ends the access token everywhere`()
        throws
    {
        let replicas = try replicas()
        var browser = Browser(replicas[0])
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        let response = try replicas[1].redeem(code, app)
        #expect(response.status == 200)
        let token = try #require(try response.json()["access_token"]?.text?.makeString())
        func userInfo(_ replica: Installation) throws -> Int {
            try replica.get("/__/auth/userinfo", fields: [.authorization: "Bearer \(token)"]).status
        }
        #expect(try userInfo(replicas[2]) == 200)
        #expect(try replicas[0].redeem(code, app).status == 400)
        for replica in replicas { #expect(try userInfo(replica) == 401) }
    }

    @Test func `a replica whose clock is a minute behind opens no login whose claim has ended`() throws {
        let store = ReferenceStore(clock: clock)
        let behind = TestClock(now: clock.now() - 60)
        let first = try Installation(clock: clock, store: store)
        let slow = try Installation(stubs: first.providers, clock: behind, store: store)
        var browser = Browser(first)
        let response = try browser.authenticate()
        let jar = browser.jar
        #expect(try Location(try browser.bring(response))["code"] != nil)
        for _ in 0..<700 {
            for clock in [clock, behind] { clock.advance(by: 1) }
            browser.installation = slow
            browser.jar = jar
            #expect(try Location.codeOrNil(of: try browser.bring(response)) == nil)
        }
    }

    @Test func `of a user who goes on from a device's page at two replicas one hand-off comes`() throws {
        let replicas = try replicas()
        var browser = Browser(replicas[0])
        let page = try browser.bring(try browser.authenticate(.desk))
        let jar = browser.jar
        browser.installation = replicas[1]
        let code = try #require(try Location(try browser.submit(page))["code"])
        browser.installation = replicas[2]
        browser.jar = jar
        #expect(try browser.submit(page).heading == "This sign-in is finished or was interrupted")
        #expect(try replicas[2].redeem(code, .desk).status != 503)
    }
}

extension Location {
    /// The code in a redirect; `nil` if the response has none or is a page.
    fileprivate static func codeOrNil(of response: BrokerResponse) throws -> String? {
        guard response.status == 303 else { return nil }
        return try Location(response)["code"]
    }
}
