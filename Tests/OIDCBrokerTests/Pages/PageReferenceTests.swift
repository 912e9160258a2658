// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The reference on a page, by which its log line is found.
struct PageReferenceTests {
    private static func reference(_ page: BrokerResponse) throws -> String {
        try String(#require(page.text.firstMatch(of: /<code id="reference">(.{10})<\/code>/)).1)
    }

    @Test func `is ten characters that are not mistaken for each other`() {
        let random = (0..<200).map { _ in PageReference().description }
        let derived = (0..<200).map { PageReference(loginID: [UInt8](repeating: UInt8($0), count: 16)).description }
        for reference in random + derived { #expect(reference.wholeMatch(of: /[2-9A-HJ-NP-Z]{10}/) != nil) }
        #expect(Set(random + derived).count == 400)
    }

    @Test func `that of a login is the beginning of a hash of its ID, and says nothing of it`() {
        let loginID = [UInt8](0..<16)
        // SHA-256("oidc-broker reference v1" || 00 01 ... 0f), 50 bits.
        let hash = Hash.sha256(Array("oidc-broker reference v1".utf8) + loginID)
        let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
        let bits = hash.prefix(7).flatMap { byte in (0..<8).reversed().map { byte >> UInt8($0) & 1 } }
        let characters = (0..<10).map { position in
            alphabet[bits[(position * 5)..<(position * 5 + 5)].reduce(0) { $0 << 1 | Int($1) }]
        }
        #expect(PageReference(loginID: loginID).description == String(characters))
        #expect(PageReference(loginID: loginID) == PageReference(loginID: loginID))
    }

    @Test func `comes back from a record, and nothing else does`() {
        let reference = PageReference()
        #expect(PageReference(characters: Array(reference.description.utf8)) == reference)
        for text in ["", "23456789A", "23456789ABC", "23456789A0", "23456789a2", "23456-789A", "\u{301}23456789"] {
            #expect(PageReference(characters: Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test func `is one from the start of a login to the redemption of its code`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.desk
        let code = try #require(try browser.signIn(app)["code"])
        #expect(try installation.redeem(code, app).status == 200)
        let lines = installation.log.lines.filter { $0.metadata["auth.app"] == "desk" }
        #expect(
            lines.map(\.message)
                == [
                    "sign-in began", "sign-in waits until the user continues", "sign-in succeeded",
                    "hand-off code redeemed",
                ])
        let events = installation.audit.lines
        #expect(events.map(\.message) == ["start", "callback", "callback", "redeemed"])
        let references = Set((lines + events).map { $0.metadata["auth.reference"] })
        #expect(references.count == 1)
        #expect(references.first??.count == PageReference.length)
    }

    @Test func `each login that fails has its own on its page, in its lines and in the audit`() throws {
        let installation = try Installation()
        var shown: [String] = []
        for _ in 0..<12 {
            var browser = Browser(installation)
            let callback = try browser.authenticate()
            browser.jar = CookieJar()
            shown.append(try Self.reference(try browser.bring(callback)))
        }
        #expect(Set(shown).count == 12)
        #expect(
            installation.audit.lines.filter { $0.message == "callback" }.map { $0.metadata["auth.reference"] } == shown)
        // One line a second, with its own.
        let lines = installation.log.lines.filter { $0.metadata["auth.outcome"] == "other_browser" }
        #expect(lines.map { $0.metadata["auth.reference"] } == Array(shown.prefix(1)))
    }

    @Test func `stands in the log line of what happened`() throws {
        let installation = try Installation()
        let page = try installation.get(Installation.handler + "?state=x&code=y")
        let line = try #require(installation.log.lines.last { $0.metadata["auth.outcome"] == "unknown_state" })
        #expect(line.metadata["auth.reference"] == (try Self.reference(page)))
    }

    @Test func `is that of the line that was written if the own line was omitted`() throws {
        let installation = try Installation()
        let pages = try (0..<3).map { _ in try installation.get(Installation.handler + "?state=x&code=y") }
        let references = Set(try pages.map(Self.reference))
        let lines = installation.log.lines.compactMap { $0.metadata["auth.reference"] }
        #expect(lines.count == 1 && references == Set(lines))
        installation.clock.advance(by: 1)
        let later = try Self.reference(try installation.get(Installation.handler + "?state=x&code=y"))
        #expect(!references.contains(later))
        #expect(installation.log.lines.last?.metadata["auth.reference"] == later)
        #expect(installation.log.lines.last?.metadata["auth.repeated"] == "2")
    }

    @Test(arguments: ["/__/auth/authorize?client_id=nobody", "/__/auth/logout?client_id=nobody"])
    func `a refused start or logout has one`(target: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let reference = try Self.reference(try browser.get(target))
        #expect(installation.log.lines.last?.metadata["auth.reference"] == reference)
    }

    @Test func `a page of a known app names it`() throws {
        let installation = try Installation { $0.apps[0].title = "Acme Shop" }
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        var other = Browser(installation)
        let page = try other.bring(callback)
        #expect(page.text.contains("<p class=\"quiet\" id=\"app\">Sign in to <bdi>Acme Shop</bdi></p>"))
        #expect(page.text.contains("Back to shop.example</a>"))
    }
}
