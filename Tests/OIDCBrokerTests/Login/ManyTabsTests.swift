// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import NIOEmbedded
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// A user with many tabs, each with a login of its own.
struct ManyTabsTests {
    /// A tab whose login is at the provider.
    private struct Tab {
        let app: AppClient
        /// What the provider sends the browser back with.
        let response: [(String, String)]
    }

    /// Numbers in an order that a seed determines (splitmix64).
    private struct SeededNumbers: RandomNumberGenerator {
        var seed: UInt64

        mutating func next() -> UInt64 {
            seed &+= 0x9E37_79B9_7F4A_7C15
            var value = seed
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    private static func tab(_ name: String, in browser: inout Browser, _ app: AppClient = .shop) throws -> Tab {
        var app = app
        app.state = "state-of-\(name)"
        app.nonce = "nonce-of-\(name)"
        return Tab(app: app, response: try browser.authenticate(app))
    }

    /// The app of a tab gets what it asked for: its own state, and a code that its own verifier redeems.
    private static func expectSignIn(
        _ response: BrokerResponse, of tab: Tab, at installation: Installation,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let location = try Location(response, sourceLocation: sourceLocation)
        #expect(location.text.hasPrefix(tab.app.redirectURI), sourceLocation: sourceLocation)
        #expect(location["state"] == tab.app.state, sourceLocation: sourceLocation)
        let code = try #require(location["code"], sourceLocation: sourceLocation)
        #expect(try installation.redeem(code, tab.app).status == 200, sourceLocation: sourceLocation)
    }

    @Test(.attack(.interleavedLogins), arguments: [1, 2, 3, 5, 8, 13] as [UInt64])
    func `twenty tabs finish in any order`(seed: UInt64) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var numbers = SeededNumbers(seed: seed)
        let started = Array(0..<20).shuffled(using: &numbers)
        let finished = Array(0..<20).shuffled(using: &numbers)
        #expect(started != finished)
        var tabs: [Int: Tab] = [:]
        for number in started { tabs[number] = try Self.tab("\(number)", in: &browser) }
        #expect(browser.jar.cookies.count == 20)
        for number in finished {
            let tab = try #require(tabs[number])
            try Self.expectSignIn(try browser.bring(tab.response), of: tab, at: installation)
        }
        #expect(browser.jar.cookies.isEmpty)
        #expect(installation.provider.count("/token") == 20)
        // Ten lines a second.
        #expect(installation.log.outcomes == [String](repeating: "signed_in", count: 10))
    }

    @Test(.attack(.interleavedLogins), arguments: [21, 34] as [UInt64])
    func `twenty tabs of four apps: some finish before others begin`(seed: UInt64) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var numbers = SeededNumbers(seed: seed)
        let apps = [AppClient.shop, .back, .desk, .phone]
        var waiting: [Tab] = []
        var begun = 0
        while begun < 20 || !waiting.isEmpty {
            if begun < 20, waiting.isEmpty || Bool.random(using: &numbers) {
                waiting.append(try Self.tab("\(begun)", in: &browser, apps[begun % 4]))
                begun += 1
            } else {
                let tab = waiting.remove(at: Int.random(in: waiting.indices, using: &numbers))
                var response = try browser.bring(tab.response)
                if response.status == 200 { response = try browser.submit(response) }
                try Self.expectSignIn(response, of: tab, at: installation)
            }
            #expect(browser.jar.cookies.count == waiting.count)
        }
        #expect(installation.provider.count("/token") == 20)
    }

    @Test(.attack(.interleavedLogins))
    func `twenty tabs that return at once to a slow provider each get their own response`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var tabs: [Tab] = []
        for number in 0..<20 { tabs.append(try Self.tab("\(number)", in: &browser)) }
        var numbers = SeededNumbers(seed: 55)
        tabs.shuffle(using: &numbers)
        installation.provider.behave { $0.latePaths = ["/token"] }
        let responses = try tabs.map { try browser.bringWithoutWaiting($0.response) }
        #expect(responses.allSatisfy { $0.response == nil })
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        for (tab, late) in zip(tabs, responses) {
            try Self.expectSignIn(try #require(late.response), of: tab, at: installation)
        }
        #expect(installation.provider.count("/token") == 20)
    }

    @Test(.attack(.cookieBomb, .interleavedLogins))
    func `two hundred logins that are given up at every step keep the Cookie field small, and the newest finishes`()
        throws
    {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        var atAcme = AppClient.shop
        atAcme.provider = "acme"
        for number in 0..<200 {
            switch number % 4 {
            // At the provider.
            case 0: _ = try browser.authenticate(atAcme)
            // On the page with the providers.
            case 1: #expect(try browser.get(AppClient.shop.target()).status == 200)
            // Behind that page.
            case 2:
                let page = try browser.get(AppClient.shop.target())
                _ = try browser.submit(page, pressing: ("provider", "globex"))
            // With a wrong start, which leaves nothing.
            default: #expect(try browser.get(atAcme.target(["redirect_uri": "https://x.example/"])).status == 400)
            }
            let field = browser.jar.field(now: installation.clock.now(), onlyNone: false) ?? ""
            #expect(field.utf8.count < 4096)
            #expect(browser.jar.cookies.count <= 24)
        }
        let newest = try Self.tab("newest", in: &browser, atAcme)
        try Self.expectSignIn(try browser.bring(newest.response), of: newest, at: installation)
        // What was given up is gone ten minutes later, without another request.
        installation.clock.advance(by: 600)
        #expect(browser.jar.field(now: installation.clock.now(), onlyNone: false) == nil)
    }
}
