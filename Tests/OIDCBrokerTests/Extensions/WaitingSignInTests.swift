// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerRecords

/// Sign-ins of an extension that wait in the store: for the user, or for a page that claims them.
struct WaitingSignInTests {
    let logins = StubLogins()

    /// A browser that has come back, and the response to its callback.
    private func waiting(
        _ installation: Installation, for delivery: StubLogins.Delivery
    ) throws -> (browser: Browser, response: BrokerResponse, login: String) {
        logins.deliver(delivery)
        var browser = Browser(installation)
        let request = try Location(try browser.get("/stub/start"))
        let response = try browser.bring(try installation.provider.signIn(request))
        let loginID = try #require(logins.delivered.last).login.loginID
        return (browser, response, Base64URL.encode(loginID))
    }

    private var secret: [UInt8] { Array(StubLogins.secret.utf8) }

    // MARK: The user

    @Test func `the user continues, once`() throws {
        let installation = try Installation(extensions: [logins])
        var (browser, page, _) = try waiting(installation, for: .waitingForPerson)
        #expect(
            page.status == 200 && page.text.contains("ada@people.example") && page.text.contains("com.example.stub"))
        #expect(browser.jar.cookies.count == 1 && logins.handedOver.isEmpty)
        let jar = browser.jar
        #expect(try Location(try browser.submit(page)).text == "https://stub.example/handed-over")
        #expect(logins.handedOver == [secret] && browser.jar.cookies.isEmpty)
        browser.jar = jar
        #expect(try browser.submit(page).heading == PageTexts.english.alreadyFinished.title)
        #expect(logins.handedOver.count == 1)
        #expect(installation.log.outcomes == ["continuing", "signed_in", "already_finished"])
    }

    @Test func `Cancel is an outcome, and a return says so`() throws {
        let installation = try Installation(extensions: [logins])
        var (browser, page, _) = try waiting(installation, for: .waitingForPerson)
        let response = try browser.submit(page, pressing: ("action", "cancel"))
        #expect(try Location(response).text == "https://stub.example/ended")
        #expect(logins.outcomes == [.cancelled] && logins.handedOver.isEmpty && browser.jar.cookies.isEmpty)
        #expect(try browser.submit(page).heading == PageTexts.english.cancelled.title)
    }

    @Test func `the page is shown again to a callback that comes again`() throws {
        let installation = try Installation(extensions: [logins])
        logins.deliver(.waitingForPerson)
        var browser = Browser(installation)
        let callback = try installation.provider.signIn(try Location(try browser.get("/stub/start")))
        _ = try browser.bring(callback)
        let again = try browser.bring(callback)
        #expect(again.status == 200)
        #expect(try Location(try browser.submit(again)).text == "https://stub.example/handed-over")
    }

    @Test func `a browser keeps the last four that wait for the user, and what waits for a claim`() throws {
        let installation = try Installation(extensions: [logins])
        var (browser, _, login) = try waiting(installation, for: .waitingForClaim)
        logins.deliver(.waitingForPerson)
        var pages: [BrokerResponse] = []
        for _ in 0..<8 {
            let request = try Location(try browser.get("/stub/start"))
            pages.append(try browser.bring(try installation.provider.signIn(request)))
        }
        for (number, page) in pages.enumerated() {
            #expect(try browser.submit(page).status == (number < 4 ? 400 : 303), "\(number)")
        }
        #expect(try browser.get("/stub/claim?" + login).status == 303)
        #expect(logins.handedOver.count == 5)
    }

    @Test func `a configuration without it ends what waits`() throws {
        let installation = try Installation(extensions: [logins])
        var (browser, page, _) = try waiting(installation, for: .waitingForPerson)
        logins.accept(false)
        #expect(try browser.submit(page).heading == PageTexts.german.changed.title)
        #expect(logins.handedOver.isEmpty && logins.outcomes.isEmpty)
    }

    // MARK: The claim

    @Test func `a page claims it with the cookie, once`() throws {
        let installation = try Installation(extensions: [logins])
        var (browser, response, login) = try waiting(installation, for: .waitingForClaim)
        #expect(try Location(response).text == "https://stub.example/waiting")
        #expect(browser.jar.cookies.count == 1)
        let jar = browser.jar
        #expect(try Location(try browser.get("/stub/claim?" + login)).text == "https://stub.example/handed-over")
        #expect(logins.handedOver == [secret] && browser.jar.cookies.isEmpty)
        browser.jar = jar
        let again = try browser.get("/stub/claim?" + login)
        #expect(again.status == 400 && again.head.headerFields[.location] == nil)
        #expect(logins.handedOver.count == 1)
    }

    @Test(.attack(.loginCSRF)) func `a browser without the cookie, or with another login's, claims nothing`() throws {
        let installation = try Installation(extensions: [logins])
        var (browser, _, login) = try waiting(installation, for: .waitingForClaim)
        var (other, _, _) = try waiting(installation, for: .waitingForClaim)
        let page = try other.get("/stub/claim?" + login)
        #expect(page.status == 400 && page.heading == PageTexts.english.otherBrowser.title)
        var stranger = Browser(installation)
        #expect(try stranger.get("/stub/claim?" + login).heading == PageTexts.english.otherBrowser.title)
        #expect(logins.handedOver.isEmpty)
        // Nothing was used up.
        #expect(try browser.get("/stub/claim?" + login).status == 303)
    }

    @Test(.attack(.cookieTossing)) func `a cookie that is there twice claims nothing`() throws {
        let installation = try Installation(extensions: [logins])
        var (browser, _, login) = try waiting(installation, for: .waitingForClaim)
        let jar = browser.jar
        browser.jar.toss(name: try #require(jar.cookies.first).name, value: String(repeating: "A", count: 43))
        #expect(try browser.get("/stub/claim?" + login).status == 400)
        #expect(logins.handedOver.isEmpty)
        browser.jar = jar
        #expect(try browser.get("/stub/claim?" + login).status == 303)
    }

    @Test(arguments: ["", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAA!A", "%41"])
    func `what is no login is said on a page`(login: String) throws {
        var browser = Browser(try Installation(extensions: [logins]))
        #expect(try browser.get("/stub/claim?" + login).heading == PageTexts.english.brokenLink.title)
    }

    @Test func `a prefetch and a frame claim nothing`() throws {
        let installation = try Installation(extensions: [logins])
        var (browser, _, login) = try waiting(installation, for: .waitingForClaim)
        #expect(try browser.get("/stub/claim?" + login) { $0[.secPurpose] = "prefetch" }.status == 425)
        #expect(try browser.get("/stub/claim?" + login) { $0[.secFetchDestination] = "iframe" }.status == 403)
        #expect(logins.handedOver.isEmpty)
        #expect(try browser.get("/stub/claim?" + login).status == 303)
    }

    @Test func `the user's Continue gets nothing that waits for a claim, nor the other way round`() throws {
        let installation = try Installation(extensions: [logins])
        var (claiming, _, first) = try waiting(installation, for: .waitingForClaim)
        let form = [("login", first)]
        let response = try claiming.post(
            "/__/auth/continue", form, site: .sameOrigin, origin: Installation.origin)
        #expect(response.status == 400 && logins.handedOver.isEmpty)
        #expect(try claiming.get("/stub/claim?" + first).status == 303)
        var (continuing, page, second) = try waiting(installation, for: .waitingForPerson)
        #expect(try continuing.get("/stub/claim?" + second).status == 400)
        #expect(logins.handedOver.count == 1)
        #expect(try continuing.submit(page).status == 303)
    }

    @Test func `what waits has ten minutes from the start, and the store sees nothing of it`() throws {
        let installation = try Installation(extensions: [logins])
        var (browser, _, login) = try waiting(installation, for: .waitingForClaim)
        installation.clock.advance(by: 601)
        #expect(try browser.get("/stub/claim?" + login).status == 400)
        #expect(!installation.log.text.contains("hunter2") && logins.handedOver.isEmpty)
    }

    @Test func `an unavailable store is an outcome at the callback and a page at the claim`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store, extensions: [logins])
        var (browser, _, login) = try waiting(installation, for: .waitingForClaim)
        store.fail(after: 0)
        #expect(try browser.get("/stub/claim?" + login).status == 503)
        store.fail(after: nil)
        #expect(try browser.get("/stub/claim?" + login).status == 303)
        logins.deliver(.waitingForClaim)
        let callback = try installation.provider.signIn(try Location(try browser.get("/stub/start")))
        // The login is claimed, and what would wait is not taken.
        store.fail(after: 1)
        #expect(try Location(try browser.bring(callback)).text == "https://stub.example/ended")
        #expect(logins.outcomes == [.storeUnavailable])
    }
}
