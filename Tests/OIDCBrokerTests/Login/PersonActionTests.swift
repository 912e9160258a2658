// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import NIOEmbedded
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// What users do with a browser besides signing in, and what they see then: never a 5xx, always what to do next.
struct PersonActionTests {
    private static let finished = "This sign-in is finished or was interrupted"
    private static let elsewhere = "This sign-in was not begun here"
    private static let late = "This sign-in took too long"
    private static let chooser = "Sign in to Shop"
    private static let proceed = "Continue to Desk?"

    /// Goes to the page with the providers.
    private static func choices(_ browser: inout Browser) throws -> BrokerResponse {
        try browser.get(AppClient.shop.target())
    }

    /// Chooses a provider on that page, and signs in there: what comes back with the browser.
    private static func choose(
        _ name: String, on page: BrokerResponse, _ browser: inout Browser
    ) throws -> [(String, String)] {
        let request = try Location(try browser.submit(page, pressing: ("provider", name)))
        return try browser.installation.provider(at: request).signIn(request)
    }

    // MARK: Back and forward

    static let wayBack: [PersonAction] = [
        PersonAction("back to the provider, and signing in there again", 400, finished, tokenRequests: 1) { browser in
            let request = try browser.start()
            let provider = browser.installation.provider
            try browser.expectSignIn(try provider.signIn(request))
            return try browser.bring(try provider.signIn(request))
        },
        PersonAction("back, and forward to the callback", 400, finished, tokenRequests: 1) { browser in
            let callback = try browser.authenticate()
            try browser.expectSignIn(callback)
            return try browser.bring(callback)
        },
        PersonAction("back to the provider after declining, and signing in", 400, elsewhere, tokenRequests: 0) {
            browser in
            let request = try browser.start()
            let provider = browser.installation.provider
            let declined = try Location(try browser.bring(try provider.refuse(request, "access_denied")))
            #expect(declined["error"] == "access_denied")
            return try browser.bring(try provider.signIn(request))
        },
        PersonAction("back to the provider from Continue, and signing in again", 200, proceed, tokenRequests: 1) {
            browser in
            let request = try browser.start(.desk)
            let provider = browser.installation.provider
            _ = try browser.bring(try provider.signIn(request))
            return try browser.bring(try provider.signIn(request))
        },
        PersonAction("back to Continue after continuing, and pressing it again", 400, finished, tokenRequests: 1) {
            browser in
            let page = try browser.bring(try browser.authenticate(.desk))
            let before = browser.jar
            _ = try Location(try browser.submit(page))
            browser.jar = before
            return try browser.submit(page)
        },
        PersonAction("back to the app, and beginning anew", 303, nil, tokenRequests: 2) { browser in
            let first = try browser.authenticate()
            let second = try browser.authenticate()
            try browser.expectSignIn(second)
            return try browser.bring(first)
        },
        PersonAction(
            "back to the page with the providers", 200, chooser, tokenRequests: 1, providers: ["acme", "globex"]
        ) { browser in
            _ = try choose("acme", on: try choices(&browser), &browser)
            // It is not stored, so the browser loads it again: another choice signs in.
            let page = try choices(&browser)
            try browser.expectSignIn(try choose("globex", on: page, &browser))
            return page
        },
        PersonAction("back from a sign-out to its page", 200, "Sign out of Shop?", tokenRequests: 0) { browser in
            let target = "/__/auth/logout?client_id=shop"
            let page = try browser.get(target)
            let done = try browser.submit(page)
            #expect(done.heading == "Sign-out is finished")
            return try browser.get(target)
        },
    ]

    @Test(.attack(.replayedCallback), arguments: PersonActionTests.wayBack)
    func `back and forward`(action: PersonAction) throws {
        try action.expectWhatIsSeen()
    }

    // MARK: Reload and double click

    static let repetitions: [PersonAction] = [
        PersonAction("reload of the callback while the provider is slow", 400, finished, tokenRequests: 1) { browser in
            let installation = browser.installation
            installation.provider.behave { $0.latePaths = ["/token"] }
            let callback = try browser.authenticate()
            let first = try browser.bringWithoutWaiting(callback)
            #expect(first.response == nil)
            let second = try browser.bring(callback)
            installation.provider.answerWaiting()
            installation.eventLoop.run()
            #expect(first.response?.status == 303)
            return second
        },
        PersonAction("reload of a page that says it is finished", 400, finished, tokenRequests: 1) { browser in
            let callback = try browser.authenticate()
            try browser.expectSignIn(callback)
            _ = try browser.bring(callback)
            return try browser.bring(callback)
        },
        PersonAction("reload of a link that is broken", 400, "This link does not work", tokenRequests: 0) { browser in
            _ = try browser.bring([("code", "x"), ("state", "x")])
            return try browser.bring([("code", "x"), ("state", "x")])
        },
        PersonAction("reload of Continue", 200, proceed, tokenRequests: 1) { browser in
            let callback = try browser.authenticate(.desk)
            _ = try browser.bring(callback)
            return try browser.bring(callback)
        },
        PersonAction("reload of Continue, and pressing it", 303, nil, tokenRequests: 1) { browser in
            let callback = try browser.authenticate(.desk)
            _ = try browser.bring(callback)
            return try browser.submit(try browser.bring(callback))
        },
        PersonAction("reload of Continue that a form led to", 200, proceed, tokenRequests: 1, isFormPost: true) {
            browser in
            let callback = try browser.authenticate(.desk)
            _ = try browser.bringForm(callback)
            return try browser.bringForm(callback)
        },
        // Both requests leave before a response arrives.
        PersonAction("double click on Continue", 400, finished, tokenRequests: 1) { browser in
            let page = try browser.bring(try browser.authenticate(.desk))
            var second = browser
            _ = try Location(try browser.submit(page))
            return try second.submit(page)
        },
        PersonAction(
            "reload of the page that sends a form again", 200, "One more step", tokenRequests: 0, isFormPost: true
        ) { browser in
            browser.withholdsCrossSiteCookies = true
            let callback = try browser.authenticate()
            _ = try browser.bringForm(callback)
            return try browser.bringForm(callback)
        },
        PersonAction("double click on that page's button", 400, finished, tokenRequests: 1, isFormPost: true) {
            browser in
            browser.withholdsCrossSiteCookies = true
            let page = try browser.bringForm(try browser.authenticate())
            var second = browser
            _ = try Location(try browser.submit(page))
            return try second.submit(page)
        },
        PersonAction("double click on the app's link", 303, nil, tokenRequests: 2) { browser in
            // Both requests leave before a response arrives.
            var second = browser
            let first = try browser.authenticate()
            let response = try second.get(AppClient.shop.target())
            browser.takeCookies(of: response)
            let callback = try browser.installation.provider.signIn(try Location(response))
            try browser.expectSignIn(callback)
            return try browser.bring(first)
        },
        PersonAction(
            "reload of the page with the providers", 200, chooser, tokenRequests: 1, providers: ["acme", "globex"]
        ) { browser in
            _ = try choices(&browser)
            let page = try choices(&browser)
            try browser.expectSignIn(try choose("acme", on: page, &browser))
            return page
        },
        PersonAction(
            "double click on a provider's button", 303, nil, tokenRequests: 2, providers: ["acme", "globex"]
        ) { browser in
            let page = try choices(&browser)
            // The second request leaves before the response to the first arrives.
            var second = browser
            let first = try choose("acme", on: page, &browser)
            let response = try second.submit(page, pressing: ("provider", "acme"))
            browser.takeCookies(of: response)
            try browser.expectSignIn(try browser.installation.provider.signIn(try Location(response)))
            return try browser.bring(first)
        },
    ]

    @Test(.attack(.replayedCallback, .parallelCallbacks), arguments: PersonActionTests.repetitions)
    func `reload and double click`(action: PersonAction) throws {
        try action.expectWhatIsSeen()
    }

    // MARK: After a crash of the browser

    static let restorations: [PersonAction] = [
        PersonAction("restored at the provider", 303, nil, tokenRequests: 1) { browser in
            let callback = try browser.authenticate()
            var restored = browser.restored()
            return try restored.bring(callback)
        },
        PersonAction("restored at the callback, after signing in", 400, finished, tokenRequests: 1) { browser in
            let callback = try browser.authenticate()
            try browser.expectSignIn(callback)
            var restored = browser.restored()
            return try restored.bring(callback)
        },
        PersonAction("restored at Continue", 200, proceed, tokenRequests: 1) { browser in
            let callback = try browser.authenticate(.desk)
            _ = try browser.bring(callback)
            var restored = browser.restored()
            let page = try restored.bring(callback)
            let location = try Location(try restored.submit(page))
            #expect(location["code"] != nil)
            return page
        },
        PersonAction("restored at Continue an hour later", 400, late, tokenRequests: 1) { browser in
            let callback = try browser.authenticate(.desk)
            _ = try browser.bring(callback)
            browser.installation.clock.advance(by: 3600)
            var restored = browser.restored()
            return try restored.bring(callback)
        },
        PersonAction("restored at the provider the next morning", 400, late, tokenRequests: 0) { browser in
            let callback = try browser.authenticate()
            browser.installation.clock.advance(by: 12 * 3600)
            var restored = browser.restored()
            return try restored.bring(callback)
        },
        PersonAction("restored without its cookies", 400, elsewhere, tokenRequests: 0) { browser in
            let callback = try browser.authenticate()
            var restored = Browser(browser.installation)
            return try restored.bring(callback)
        },
        PersonAction(
            "restored at the page with the providers", 200, chooser, tokenRequests: 1, providers: ["acme", "globex"]
        ) { browser in
            _ = try choices(&browser)
            var restored = browser.restored()
            let page = try choices(&restored)
            try restored.expectSignIn(try choose("globex", on: page, &restored))
            return page
        },
        PersonAction(
            "a choice on that page an hour later", 400, "Please start again", tokenRequests: 0,
            providers: ["acme", "globex"]
        ) { browser in
            let page = try choices(&browser)
            browser.installation.clock.advance(by: 3600)
            var restored = browser.restored()
            return try restored.submit(page, pressing: ("provider", "acme"))
        },
    ]

    @Test(.attack(.expiredState, .replayedCallback), arguments: PersonActionTests.restorations)
    func `restored after a crash`(action: PersonAction) throws {
        try action.expectWhatIsSeen()
    }

    // MARK: Programs that follow links

    static let programs: [PersonAction] = [
        PersonAction("prefetch of the callback", 425, nil, tokenRequests: 1) { browser in
            let callback = try browser.authenticate()
            let ahead = try browser.get(Installation.handler + "?" + Query.encode(callback)) {
                $0[.secPurpose] = "prefetch"
            }
            try browser.expectSignIn(callback)
            return ahead
        },
        PersonAction("prefetch of the start, and then a visit", 303, nil, tokenRequests: 2) { browser in
            let ahead = try browser.get(AppClient.shop.target()) { $0[.secPurpose] = "prefetch;prerender" }
            try browser.expectSignIn(try browser.authenticate())
            // A prefetched response may be the one that is shown.
            return try browser.bring(try browser.installation.provider.signIn(try Location(ahead)))
        },
        PersonAction(
            "prefetch of the page with the providers", 200, chooser, tokenRequests: 0, providers: ["acme", "globex"]
        ) { browser in
            try browser.get(AppClient.shop.target()) { $0[.secPurpose] = "prefetch" }
        },
        PersonAction("a link scanner opens the start", 303, nil, tokenRequests: 1) { browser in
            let scanned = try browser.installation.get(AppClient.shop.target())
            try browser.expectSignIn(try browser.authenticate())
            return scanned
        },
        PersonAction("a link scanner asks for the head of the start", 405, nil, tokenRequests: 1) { browser in
            let scanned = try browser.installation.request(.head, AppClient.shop.target())
            #expect(scanned.head.headerFields[.allow] == "GET, POST")
            #expect(scanned.setCookies.isEmpty)
            try browser.expectSignIn(try browser.authenticate())
            return scanned
        },
        PersonAction("a link scanner opens the callback first", 400, elsewhere, tokenRequests: 1) { browser in
            let callback = try browser.authenticate()
            let scanned = try browser.installation.get(Installation.handler + "?" + Query.encode(callback))
            #expect(scanned.setCookies.isEmpty)
            try browser.expectSignIn(callback)
            return scanned
        },
        PersonAction("a link scanner asks for the head of the callback", 200, nil, tokenRequests: 1) { browser in
            let callback = try browser.authenticate()
            let target = Installation.handler + "?" + Query.encode(callback)
            let scanned = try browser.installation.request(.head, target)
            #expect(scanned.setCookies.isEmpty)
            try browser.expectSignIn(callback)
            return scanned
        },
        PersonAction("a link scanner opens the callback afterwards", 400, finished, tokenRequests: 1) { browser in
            let callback = try browser.authenticate()
            try browser.expectSignIn(callback)
            return try browser.installation.get(Installation.handler + "?" + Query.encode(callback))
        },
        PersonAction("a link scanner opens the callback of Continue", 400, finished, tokenRequests: 1) { browser in
            let callback = try browser.authenticate(.desk)
            let page = try browser.bring(callback)
            let scanned = try browser.installation.get(Installation.handler + "?" + Query.encode(callback))
            let location = try Location(try browser.submit(page))
            #expect(location["code"] != nil)
            return scanned
        },
        PersonAction(
            "a link scanner opens the callback without its query", 400, "This link does not work", tokenRequests: 0
        ) { browser in
            try browser.installation.get(Installation.handler)
        },
    ]

    @Test(.attack(.prefetchedCallback, .otherMethodOnCallback), arguments: PersonActionTests.programs)
    func `prefetch and link scanners`(action: PersonAction) throws {
        try action.expectWhatIsSeen()
    }

    // MARK: Two devices

    static let devices: [PersonAction] = [
        PersonAction("begun on one device, finished on another", 400, elsewhere, tokenRequests: 1) { browser in
            let callback = try browser.authenticate()
            var other = Browser(browser.installation)
            let page = try other.bring(callback)
            #expect(page.setCookies.isEmpty)
            try browser.expectSignIn(callback)
            return page
        },
        PersonAction("the same while the other device has a login too", 400, elsewhere, tokenRequests: 2) { browser in
            let callback = try browser.authenticate()
            var other = Browser(browser.installation)
            let own = try other.authenticate()
            let page = try other.bring(callback)
            try browser.expectSignIn(callback)
            try other.expectSignIn(own)
            return page
        },
        PersonAction("the same by a form", 400, elsewhere, tokenRequests: 1, isFormPost: true) { browser in
            let callback = try browser.authenticate()
            var other = Browser(browser.installation)
            let step = try other.bringForm(callback)
            #expect(step.heading == "One more step")
            let page = try other.submit(step)
            let location = try Location(try browser.bringForm(callback))
            #expect(location["code"] != nil)
            return page
        },
        PersonAction("the same with Continue", 400, elsewhere, tokenRequests: 1) { browser in
            let callback = try browser.authenticate(.desk)
            var other = Browser(browser.installation)
            let page = try other.bring(callback)
            let own = try browser.submit(try browser.bring(callback))
            let location = try Location(own)
            #expect(location["code"] != nil)
            return page
        },
        PersonAction("declined on another device", 400, "You did not sign in", tokenRequests: 1) { browser in
            let request = try browser.start()
            let provider = browser.installation.provider
            var other = Browser(browser.installation)
            let page = try other.bring(try provider.refuse(request, "access_denied"))
            try browser.expectSignIn(try provider.signIn(request))
            return page
        },
        PersonAction(
            "the page with the providers, sent to another device", 400, "Please start again", tokenRequests: 1,
            providers: ["acme", "globex"]
        ) { browser in
            let page = try choices(&browser)
            var other = Browser(browser.installation)
            let refused = try other.submit(page, pressing: ("provider", "acme"))
            try browser.expectSignIn(try choose("acme", on: page, &browser))
            return refused
        },
        PersonAction("the app's link, sent to another device", 303, nil, tokenRequests: 2) { browser in
            // Each device has a login of its own; whose response the app takes is decided by its own state.
            let target = AppClient.shop.target()
            let first = try Location(try browser.get(target))
            var other = Browser(browser.installation)
            let second = try Location(try other.get(target))
            let provider = browser.installation.provider
            try browser.expectSignIn(try provider.signIn(first))
            return try other.bring(try provider.signIn(second))
        },
    ]

    @Test(.attack(.loginCSRF), arguments: PersonActionTests.devices)
    func `begun on one device, finished on another`(action: PersonAction) throws {
        try action.expectWhatIsSeen()
    }

    @Test func `the document says what is seen`() throws {
        let kinds = [
            ("back and forward", Self.wayBack), ("reload and double click", Self.repetitions),
            ("after a crash", Self.restorations), ("programs that follow links", Self.programs),
            ("two devices", Self.devices),
        ]
        let rows = kinds.flatMap { kind, actions in
            actions.map { "| \(kind) | \($0.name) | \($0.status) | \($0.seen) |" }
        }
        try GeneratedTable(
            suite: "PersonActionTests",
            lines: ["| | what is done | status | what is seen |", "| --- | --- | --- | --- |"] + rows
        ).expect()
    }
}
