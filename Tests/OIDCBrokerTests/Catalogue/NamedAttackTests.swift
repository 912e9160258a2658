// SPDX-License-Identifier: Apache-2.0

import JOSE
import HTTPTypes
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker

/// Attacks that have a name of their own, one test each.
struct NamedAttackTests {
    @Test(.attack(.openRedirection))
    func `covert redirect: where a sign-in ends is fixed at its start, whatever the callback says`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let more = ["redirect_uri", "redirectUrl", "return_to", "continue", "target_link_uri", "RelayState"].map {
            ($0, "https://evil.example/")
        }
        let location = try Location(try browser.bring(callback + more))
        #expect(location.base == "https://shop.example/callback")
        #expect(!location.text.contains("evil"))
    }

    @Test(.attack(.loginCSRF))
    func `login CSRF: a form that posts the attacker's valid response does not sign in`() throws {
        let installation = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        var attacker = Browser(installation)
        let callback = try attacker.authenticate()
        var victim = Browser(installation)
        // Again from the broker's own page, as a browser that withholds cookies would: still no sign-in.
        let page = try victim.bringForm(callback)
        #expect(page.heading == "One more step")
        #expect(try victim.submit(page).status == 400)
        #expect(installation.provider.count("/token") == 0)
    }

    @Test(.attack(.stateFixation))
    func `state fixation: the state that goes to the provider is always of the broker's own making`() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let known = try #require(try attacker.start()["state"])
        var victim = Browser(installation)
        var app = AppClient.shop
        app.state = String(known.prefix(512))
        let request = try victim.start(app)
        #expect(request["state"] != known)
        #expect(request["state"] != app.state)
        let callback = try installation.provider.signIn(request).map { $0.0 == "state" ? ("state", known) : $0 }
        #expect(try victim.bring(callback).status == 400)
    }

    @Test(.attack(.cookieBomb, .cookieTossing))
    func `cookie tossing: a cookie of a sibling domain is not taken for the login's`() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let callback = try attacker.authenticate()
        let cookie = try #require(attacker.jar.cookies.first)
        #expect(cookie.name.hasPrefix("__Host-"))
        var victim = Browser(installation)
        // Browsers take no `__Host-` cookie with a domain: the name without it is another name.
        victim.jar.toss(name: String(cookie.name.dropFirst("__Host-".count)), value: cookie.value)
        #expect(try victim.bring(callback).status == 400)
        victim.jar.toss(name: cookie.name, value: cookie.value)
        victim.jar.toss(name: cookie.name, value: cookie.value)
        #expect(try victim.bring(callback).status == 400)
        #expect(installation.log.outcomes == ["other_browser", "duplicate_cookie"])
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

    // Cross-Origin-Opener-Policy is left out on purpose: with `same-origin` an app that opens the sign-in in a popup
    // would lose its window. No page opens a window or has a handle of one, and the only script reads its own address.
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

    @Test(.attack(.hostileProviderError), arguments: ["\r\n", "\n", "\u{1b}[2J", "\u{2028}"])
    func `log injection: no line of the log has another line in it`(text: String) throws {
        let installation = try Installation()
        let evil = "x\(text)auth.outcome=signed_in"
        var browser = Browser(installation)
        let request = try browser.start()
        for callback in [
            try installation.provider.refuse(request, evil, description: evil), [("state", evil)],
            [("code", evil), ("state", "a")], [(evil, "1"), (evil, "2"), ("state", "a")],
        ] {
            _ = try browser.bring(callback)
            installation.clock.advance(by: 1)
        }
        installation.provider.behave { $0.claims = ["aud": .string(evil)] }
        _ = try browser.bring(try browser.authenticate())
        installation.provider.behave { $0.tokenResponse = (400, ["error": .string(evil)]) }
        _ = try browser.bring(try browser.authenticate())
        #expect(installation.log.lines.count > 5)
        for line in installation.log.lines {
            #expect(line.text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }, "\(line.text)")
            #expect(line.metadata["auth.outcome"] != "signed_in")
            #expect(!line.text.contains("auth.outcome=signed_in"), "\(line.text)")
        }
    }

    @Test(
        .attack(.cacheDeception, .nearlyTheCallbackPath),
        arguments: ["/x.css", ".css", ";x.css", "/..%2fx.js", "%3fx.css", "%00.css", "/%2e%2e/x.png"])
    func `cache deception: a path that looks like a file is not found, and nothing is stored`(suffix: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let response = try browser.bring(callback, to: Installation.handler + suffix)
        #expect(response.status == 404)
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        #expect(try browser.bring(callback).head.headerFields[.cacheControl] == "no-store")
    }

    @Test(.attack(.spoofedHost), arguments: [true, false])
    func `host header poisoning: no response repeats the request's host`(isValidated: Bool) throws {
        let installation = try Installation()
        for target in [AppClient.shop.target(), Installation.handler, "/__/auth/.well-known/openid-configuration"] {
            let response = try installation.respond(
                BrokerRequest(
                    head: HTTPRequest(method: .get, scheme: "http", authority: "evil.example", path: target),
                    validatesAuthority: isValidated))
            #expect(!response.text.contains("evil.example"))
            for field in response.head.headerFields { #expect(!field.value.contains("evil.example")) }
            #expect((response.status == 421) == isValidated)
        }
    }

    @Test(.attack(.hostileDiscovery))
    func `SSRF: nothing that a request names is requested, at the start or at the callback`() throws {
        let installation = try Installation()
        let url = "http://169.254.169.254/latest/meta-data"
        for name in ["iss", "issuer", "request_uri", "registration", "jwks_uri", "logo_uri", "provider", "request"] {
            _ = try installation.get(AppClient.shop.target([name: url]))
        }
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let more = [("jwks_uri", url), ("issuer", url), ("error_uri", url), ("user", url), ("response", url)]
        #expect(try browser.bring(callback + more).status == 303)
        #expect(installation.transport.strays.isEmpty)
        let paths = Set(installation.provider.requests.map(\.url.path))
        #expect(paths == ["/.well-known/openid-configuration", "/token", "/jwks"])
    }

    @Test(.attack(.parallelCallbacks, .replayedCallback))
    func `race on single use: of twenty concurrent callbacks of one login, one requests tokens`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        installation.provider.behave { $0.latePaths = ["/token"] }
        let pending = try (0..<20).map { _ in try browser.bringWithoutWaiting(callback) }
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(pending.compactMap { $0.response?.status }.sorted() == [303] + [Int](repeating: 400, count: 19))
        #expect(installation.provider.count("/token") == 1)
    }

    @Test(.attack(.stateOracle))
    func `XS-leak: the responses to an unknown state and an expired one differ only in their words`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let unknown = try browser.bring([callback[0], ("state", String("B" + callback[1].1.dropFirst())), callback[2]])
        var other = Browser(installation)
        let foreign = try other.bring(callback)
        installation.clock.advance(by: 600)
        let expired = try browser.bring(callback)
        func shape(_ response: BrokerResponse) -> [String] {
            ["\(response.status)"] + response.head.headerFields.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
        }
        #expect(shape(unknown) == shape(expired))
        #expect(shape(unknown) == shape(foreign))
        let sizes = [unknown, expired, foreign].map(\.body.readableBytes)
        // One size class: within a quarter of a kilobyte, and in as many packets.
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) < 256, "\(sizes)")
    }
}
