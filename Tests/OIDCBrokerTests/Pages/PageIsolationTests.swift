// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// What pages tell other pages, windows and sites (RFC 9700 sections 4.2, 4.16 and 4.17).
struct PageIsolationTests {
    /// The possible responses at the callback URL, each with the secrets in the URL of its request.
    private func responsesAtCallback() throws -> [(kind: String, response: BrokerResponse, secrets: [String])] {
        let installation = try Installation()
        var browser = Browser(installation)
        var responses: [(kind: String, response: BrokerResponse, secrets: [String])] = []
        func add(_ kind: String, _ response: BrokerResponse, _ callback: [(String, String)]) {
            responses.append((kind, response, callback.filter { $0.0 == "code" || $0.0 == "state" }.map(\.1)))
        }
        let callback = try browser.authenticate()
        var other = Browser(installation)
        add("other browser", try other.bring(callback), callback)
        add("misdirected", try browser.bringForm(callback), callback)
        add("unreadable", try browser.bring(callback + [callback[0]]), callback)
        add("signed in", try browser.bring(callback), callback)
        add("already finished", try browser.bring(callback), callback)
        let device = try browser.authenticate(.desk)
        add("continue", try browser.bring(device), device)
        let denied =
            try installation.provider.refuse(try browser.start(), "access_denied") + [("code", "a-code-beside")]
        add("denied", try browser.bring(denied), denied)
        let failed = try browser.authenticate()
        installation.provider.behave { $0.claims = ["nonce": "x"] }
        add("failed", try browser.bring(failed), failed)
        let late = try browser.authenticate()
        installation.clock.advance(by: 600)
        add("expired", try browser.bring(late), late)
        return responses
    }

    @Test(.attack(.codeInReferer))
    func `a response to a URL with a code neither repeats it nor has a referrer`()
        throws
    {
        let responses = try responsesAtCallback()
        #expect(responses.count == 9)
        for (kind, response, secrets) in responses {
            #expect(!secrets.isEmpty)
            for secret in secrets { #expect(!response.text.contains(secret), "\(kind)") }
            let policy = response.head.headerFields[.referrerPolicy]
            #expect(policy == (response.text.contains("<form") ? "same-origin" : "no-referrer"), "\(kind)")
            for source in ["src=", "<link", "<img", "<iframe", "<object", "url(", "@import"] {
                #expect(!response.text.contains(source), "\(kind)")
            }
            #expect(response.head.headerFields[.cacheControl] == "no-store", "\(kind)")
        }
    }

    @Test(.attack(.forcedErrorWithCode, .codeInReferer, .responseModeDowngrade))
    func `dirty dancing: a forced error leaves no code in a page that could tell it`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let spoiled = callback.map { $0.0 == "state" ? ("state", "x") : $0 }
        // The response was forced into the fragment. The page for the browser runs no script that could read it.
        for target in [Installation.handler, Installation.handler + "?" + Query.encode(spoiled)] {
            let page = try browser.get(target)
            #expect(page.status == 400)
            #expect(!page.text.contains("<script"))
            #expect(!page.text.contains(callback[0].1))
            #expect(page.head.headerFields[.referrerPolicy] == "no-referrer")
            #expect(page.head.headerFields[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(page.head.headerFields[.contentSecurityPolicy]?.contains("script-src") == false)
        }
        let posted = try browser.bringForm(callback)
        #expect(posted.status == 400)
        #expect(!posted.text.contains(callback[0].1))
    }

    @Test(.attack(.clickjacking)) func `no response may be framed`() throws {
        let fragment = try Installation { $0.providers[0].configuration.responseMode = .fragment }
        let chooser = try Installation(providers: ["acme", "globex"])
        let pages =
            try responsesAtCallback().map(\.response) + [
                fragment.get(Installation.handler), chooser.get(AppClient.shop.target()),
            ]
        for page in pages where !page.text.isEmpty {
            #expect(page.head.headerFields[.frameOptions] == "DENY")
            #expect(page.head.headerFields[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
        }
    }

    // There is no relay page, so no target origin that could be `*`.
    @Test(.attack(.windowMessages, .markupInClaims))
    func `no page of the broker speaks to another window, or listens to one`() throws {
        let fragment = try Installation { $0.providers[0].configuration.responseMode = .fragment }
        let chooser = try Installation(providers: ["acme", "globex"])
        let pages =
            try responsesAtCallback().map(\.response) + [
                fragment.get(Installation.handler), chooser.get(AppClient.shop.target()),
            ]
        for page in pages {
            for word in ["postMessage", "addEventListener", "onmessage", "opener", "target=", "window."] {
                #expect(!page.text.contains(word), "\(word)")
            }
        }
    }

    // Cross-Origin-Opener-Policy is left out on purpose: with `same-origin` an app that opens the sign-in in a popup
    // would lose its window. No page opens a window, and none of these has a handle of one: the only script reads its own
    // address. The page of a popup that an SDK opened posts to its opener, at one origin, and is no part of these logins.
    @Test(.attack(.openerAccess))
    func `tab-under: no page opens a window, and none is told of its opener; popups keep working`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        let fragment = try Installation { $0.providers[0].configuration.responseMode = .fragment }
        for page in [
            try installation.get(AppClient.shop.target()), try installation.get(Installation.handler),
            try fragment.get(Installation.handler),
        ] {
            for word in ["target=", "window.open", "opener", "rel="] { #expect(!page.text.contains(word), "\(word)") }
            let name = try #require(HTTPField.Name("Cross-Origin-Opener-Policy"))
            #expect(page.head.headerFields[name] == nil)
        }
    }

    @Test(
        .attack(.markupInClaims),
        arguments: [
            "</script><script>alert(1)</script>", "\u{2028}alert(1)", "<!--<script>", "]]>", "\"><b>", "\u{202E}x",
        ])
    func `what stands of a claim in a page cannot break out, and the rest does not stand there`(text: String) throws {
        let installation = try Installation()
        installation.provider.behave {
            $0.claims = [
                "name": .string("marker" + text), "email": .string("marker@\(text)"), "picture": .string(text),
            ]
        }
        var browser = Browser(installation)
        let page = try browser.bring(try browser.authenticate(.desk))
        #expect(page.heading?.hasPrefix("Continue to ") == true)
        #expect(page.text.matches(of: /marker/).count == 1, "the account alone")
        #expect(!page.text.contains("<script"))
        #expect(!page.text.contains("<b>"))
        for scalar: Unicode.Scalar in ["\u{2028}", "\u{202E}"] { #expect(!page.text.unicodeScalars.contains(scalar)) }
        let policy = try #require(page.head.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'"))
        #expect(!policy.contains("script-src"))
    }
}
