// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import Testing

@testable import OIDCBroker

/// The reference on a page, by which its log line is found.
struct PageReferenceTests {
    private static func reference(_ page: BrokerResponse) throws -> String {
        try String(#require(page.text.firstMatch(of: /<code id="reference">(.{9})<\/code>/)).1)
    }

    @Test func `is two groups of four characters that are not mistaken for each other`() {
        let references = (0..<200).map { _ in PageReference().description }
        for reference in references { #expect(reference.wholeMatch(of: /[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}/) != nil) }
        #expect(Set(references).count == 200)
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
