// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import OIDCBrokerTesting
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// Limits on the use of the store by one provider and one user.
struct ProviderShareTests {
    private func app(_ app: AppClient, at provider: String) -> AppClient {
        var app = app
        app.provider = provider
        return app
    }

    /// Signs in a new user.
    private func signIn(_ installation: Installation, _ app: AppClient, as subject: String) throws -> Location {
        for provider in installation.providers { provider.behave { $0.claims["sub"] = .string(subject) } }
        var browser = Browser(installation)
        return try Location(try browser.bring(try browser.authenticate(app)))
    }

    private func expectRefusal(
        _ location: Location, _ installation: Installation, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(location["error"] == "temporarily_unavailable", sourceLocation: sourceLocation)
        #expect(location["state"] == "state-of-the-app", sourceLocation: sourceLocation)
        let line = installation.log.lines.last { $0.metadata["auth.outcome"] == "too_many_of_provider" }
        #expect(line?.level == .warning, sourceLocation: sourceLocation)
        #expect(line?.metadata["auth.provider"] == "oidc.acme", sourceLocation: sourceLocation)
    }

    @Test func `a provider with a new subject at each login takes half of the records, and the other one has the rest`()
        throws
    {
        let installation = try Installation(
            providers: ["acme", "globex"], store: InMemorySingleUseStore(capacity: 8))
        let acme = app(.shop, at: "acme")
        var codes: [String] = []
        for number in 0..<4 {
            codes.append(try #require(try signIn(installation, acme, as: "person-\(number)")["code"]))
        }
        expectRefusal(try signIn(installation, acme, as: "person-4"), installation)
        #expect(try signIn(installation, app(.shop, at: "globex"), as: "person-5")["code"] != nil)
        // One that was redeemed frees capacity for one.
        #expect(try installation.redeem(codes[0], acme).status == 200)
        #expect(try signIn(installation, acme, as: "person-6")["code"] != nil)
    }

    /// Four users of acme on the page that asks them to continue.
    private func waiting(at installation: Installation) throws -> [(Browser, BrokerResponse)] {
        try (0..<4).map { number in
            installation.provider.behave { $0.claims["sub"] = .string("person-\(number)") }
            var browser = Browser(installation)
            let page = try browser.bring(try browser.authenticate(app(.desk, at: "acme")))
            #expect(page.status == 200)
            return (browser, page)
        }
    }

    @Test func `so it is of those that wait for the user`() throws {
        let installation = try Installation(
            providers: ["acme", "globex"], store: InMemorySingleUseStore(capacity: 8))
        _ = try waiting(at: installation)
        expectRefusal(try signIn(installation, app(.desk, at: "acme"), as: "person-4"), installation)
        #expect(try signIn(installation, app(.shop, at: "globex"), as: "person-5")["code"] != nil)
    }

    @Test func `each of those that wait goes on to its app, and then leaves its room to others that wait`() throws {
        let installation = try Installation(
            providers: ["acme", "globex"], store: InMemorySingleUseStore(capacity: 8))
        let waiting = try waiting(at: installation)
        for (number, (browser, page)) in waiting.enumerated() {
            // The last claim for which there is room is this login's.
            if number == 3 {
                installation.provider.behave { $0.claims["sub"] = .string("person-4") }
                var other = Browser(installation)
                #expect(try other.bring(try other.authenticate(app(.desk, at: "acme"))).status == 200)
            }
            var browser = browser
            #expect(try Location(try browser.submit(page))["code"] != nil)
        }
    }

    @Test func `a provider with long records takes half of the bytes`() throws {
        // Five 32nds of 8 MiB are its share.
        let store = InMemorySingleUseStore(bytes: InMemorySingleUseStore.allowedBytes.lowerBound)
        let installation = try Installation(providers: ["acme", "globex"], store: store)
        for provider in installation.providers {
            provider.behave { $0.claims["padding"] = .string(String(repeating: "x", count: 40_000)) }
        }
        let acme = app(.back, at: "acme")
        var count = 0
        var last = try signIn(installation, acme, as: "person")
        while last["code"] != nil, count < 60 {
            count += 1
            last = try signIn(installation, acme, as: "person-\(count)")
        }
        // Some 42 KB each.
        #expect((25...34).contains(count))
        expectRefusal(last, installation)
        #expect(try signIn(installation, app(.back, at: "globex"), as: "person")["code"] != nil)
    }

    @Test func `where there is one provider it has all of the room`() throws {
        let installation = try Installation(store: InMemorySingleUseStore(capacity: 8))
        for number in 0..<8 {
            #expect(try signIn(installation, .shop, as: "person-\(number)")["code"] != nil)
        }
    }

    @Test func `one user's records take 256 KB, and then that user alone is refused, at that app alone`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims["padding"] = .string(String(repeating: "x", count: 40_000)) }
        var count = 0
        var last = try signIn(installation, .back, as: "ada")
        while last["code"] != nil, count < 32 {
            count += 1
            last = try signIn(installation, .back, as: "ada")
        }
        #expect((5...6).contains(count))
        #expect(last["error"] == "temporarily_unavailable")
        #expect(installation.log.outcomes.last == "too_many_hand_offs")
        #expect(try signIn(installation, .back, as: "bob")["code"] != nil)
        #expect(try signIn(installation, .shop, as: "ada")["code"] != nil)
        installation.clock.advance(by: 60)
        #expect(try signIn(installation, .back, as: "ada")["code"] != nil)
    }

    @Test func `a user with 32 hand-offs at one app still signs in to another`() throws {
        let installation = try Installation()
        for _ in 0..<32 { #expect(try signIn(installation, .back, as: "ada")["code"] != nil) }
        #expect(try signIn(installation, .back, as: "ada")["error"] == "temporarily_unavailable")
        #expect(try signIn(installation, .shop, as: "ada")["code"] != nil)
    }

    /// Any web page can make a browser with a session at the provider begin sign-ins that are never continued.
    @Test func `a browser keeps the last four that wait for its user at an app, who is never refused`() throws {
        let installation = try Installation()
        func wait(in browser: inout Browser, _ app: AppClient) throws -> BrokerResponse {
            let page = try browser.bring(try browser.authenticate(app))
            #expect(page.status == 200)
            return page
        }
        var elsewhere = Browser(installation)
        let others = try wait(in: &elsewhere, .desk)
        var browser = Browser(installation)
        var pages: [BrokerResponse] = []
        for _ in 0..<20 { pages.append(try wait(in: &browser, .desk)) }
        // Its cookie is one of the last 24, which the browser keeps.
        let phone = try wait(in: &browser, .phone)
        for _ in 0..<20 { pages.append(try wait(in: &browser, .desk)) }
        for (number, page) in pages.enumerated().suffix(6) {
            #expect(try browser.submit(page).status == (number < 36 ? 400 : 303), "\(number)")
        }
        // Another app, and another browser of the same user, lose nothing.
        #expect(try browser.submit(phone).status == 303)
        #expect(try elsewhere.submit(others).status == 303)
    }

    @Test func `what waits for a user, in 128 browsers, does not keep that user from signing in`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims["sub"] = .string("ada") }
        for _ in 0..<128 {
            var browser = Browser(installation)
            #expect(try browser.bring(try browser.authenticate(.desk)).status == 200)
        }
        #expect(try signIn(installation, .desk, as: "ada")["error"] == "temporarily_unavailable")
        #expect(try signIn(installation, .shop, as: "ada")["code"] != nil)
        // They end with their logins.
        installation.clock.advance(by: LoginState.lifetime)
        installation.provider.behave { $0.claims["sub"] = .string("ada") }
        var browser = Browser(installation)
        #expect(try browser.bring(try browser.authenticate(.desk)).status == 200)
    }
}
