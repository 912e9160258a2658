// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// Logins and codes of one browser in another (RFC 9700 sections 4.5 and 4.7).
struct LoginBindingTests {
    @Test(.attack(.missingOrDuplicateState)) func `without a valid state nothing is requested`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        for query in ["code=x", "code=x&state=", "code=x&state=a&state=b", "code=x&state=a", "state=a", ""] {
            #expect(try browser.get(Installation.handler + "?" + query).status == 400, "\(query)")
        }
        #expect(installation.provider.requests.isEmpty)
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

    // Login CSRF.
    @Test(.attack(.loginCSRF))
    func `a valid response in a browser without the login's cookie: no sign-in, no cookie`() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let response = try attacker.authenticate()
        var victim = Browser(installation)
        let page = try victim.bring(response)
        #expect(page.status == 400)
        #expect(page.head.headerFields[.location] == nil)
        #expect(page.setCookies.isEmpty)
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

    // There is no session of the broker: the login is all there is to preset.
    @Test(.attack(.sessionFixation)) func `a start takes no id or cookie that is there already: both are new`() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let preset = try attacker.start()
        let cookie = try #require(attacker.jar.cookies.first)
        var victim = Browser(installation)
        victim.jar = attacker.jar
        let request = try victim.start()
        #expect(request["state"] != preset["state"])
        #expect(request["nonce"] != preset["nonce"])
        #expect(request["code_challenge"] != preset["code_challenge"])
        let own = try #require(victim.jar.cookies.first { $0.name != cookie.name })
        #expect(own.value != cookie.value)
        // A client that knows only the preset cookie cannot finish the login.
        attacker.jar.replace(cookie.name, with: cookie.value)
        #expect(try attacker.bring(installation.provider.signIn(request)).status == 400)
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

    @Test(.attack(.codeInjection))
    func `an injected code goes out with the victim's own verifier, which does not fit`() throws {
        let installation = try Installation()
        var attacker = Browser(installation)
        let stolen = try attacker.authenticate()
        var victim = Browser(installation)
        let request = try victim.start()
        var response = try installation.provider.signIn(request)
        response[0] = stolen[0]
        #expect(try Location(try victim.bring(response))["error"] == "server_error")
        let form = try #require(installation.provider.tokenForms.first)
        #expect(form["code"] == stolen[0].1)
        #expect(ProofKey.challenge(of: form["code_verifier"] ?? "") == request["code_challenge"])
        #expect(installation.log.outcomes == ["failed_token"])
    }

    @Test(.attack(.replayedCallback, .expiredState, .loginCookieOfAnotherProvider))
    func `a failed callback offers a way on, and is never a 5xx`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let late = try browser.authenticate()
        let jar = browser.jar
        #expect(try browser.bring(response).status == 303)
        browser.jar = jar
        let replayed = try browser.bring(response)
        installation.clock.advance(by: 600)
        let expired = try browser.bring(late)
        for page in [replayed, expired] {
            #expect(page.status == 400)
            #expect(page.text.contains("href=\"https://shop.example/\""))
            #expect(page.text.contains("start again"))
        }
        #expect(installation.log.outcomes == ["signed_in", "already_finished", "expired"])
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
        // One size class: within half a kilobyte, for the link back to the app, and in as many packets.
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) < 512, "\(sizes)")
    }
}
