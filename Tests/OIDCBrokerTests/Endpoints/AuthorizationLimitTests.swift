// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerState

/// The maximum lengths of an app's parameters.
struct AuthorizationLimitTests {
    private func location(
        _ changes: [String: String?], configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> Location {
        try Location(try Installation(configure: configure).get(AppClient.shop.target(changes)))
    }

    @Test(arguments: [1, 256, 700, 1024])
    func `a state of up to 2,048 bytes comes back, and the URL at the provider does not grow with it`(pairs: Int) throws
    {
        let installation = try Installation()
        var browser = Browser(installation)
        var app = AppClient.shop
        app.state = String(repeating: "s~", count: pairs)
        let request = try browser.start(app)
        #expect(try #require(request["state"]).utf8.count <= 1100)
        let response = try installation.provider.signIn(request)
        #expect(try Location(try browser.bring(response))["state"] == app.state)
        #expect(browser.jar.cookies.isEmpty)
        // With an error of the provider, too.
        let sent = try #require(try browser.start(app)["state"])
        let canceled = try Location(
            try browser.bring([("error", "access_denied"), ("state", sent), ("iss", installation.provider.issuer)]))
        #expect(canceled["error"] == "access_denied")
        #expect(canceled["state"] == app.state)
    }

    @Test func `a long state that is not the one of the start ends in a page, and nothing is used up`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var app = AppClient.shop
        app.state = String(repeating: "s", count: 2048)
        let response = try browser.authenticate(app)
        let cookie = try #require(browser.jar.cookies.first)
        let binding = String(cookie.value.prefix { $0 != "." })
        for value in [binding, binding + ".", binding + ".eA", cookie.value + "A", cookie.value + ".eA"] {
            browser.jar.replace(cookie.name, with: value)
            #expect(try browser.bring(response).heading == "This sign-in was not begun here", "\(value)")
        }
        browser.jar.replace(cookie.name, with: cookie.value)
        #expect(try Location(try browser.bring(response))["state"] == app.state)
    }

    @Test func `of logins with long states the newest can be finished, and the Cookie field stays small`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var app = AppClient.shop
        app.state = String(repeating: "s", count: 2048)
        var responses: [[(String, String)]] = []
        for _ in 0..<10 {
            responses.append(try browser.authenticate(app))
            let field = try #require(browser.jar.field(now: installation.clock.now(), onlyNone: false))
            #expect(field.utf8.count <= LoginCookie.maximumByteCount)
        }
        for response in responses.suffix(2) {
            #expect(try Location(try browser.bring(response))["state"] == app.state)
        }
    }

    @Test func `state: 2,048 bytes are given back, 2,049 are refused and given back`() throws {
        let longest = String(repeating: "s~", count: 1024)
        var browser = Browser(try Installation())
        var app = AppClient.shop
        app.state = longest
        app.nonce = String(repeating: "n", count: 128)
        #expect(try browser.signIn(app)["state"] == longest)
        let refused = try location(["state": longest + "s"])
        #expect(refused["error"] == "invalid_request")
        #expect(refused.query.names == ["error", "error_description", "state", "iss"])
        #expect(refused["state"] == longest + "s")
        // Whatever else is wrong.
        #expect(try location(["state": longest + "s", "scope": "email"])["state"] == longest + "s")
        #expect(try location(["state": String(repeating: "s", count: 16_385)])["state"] == nil)
    }

    @Test(arguments: ["a\u{1}", "a\nb", "ü", "\u{7f}", "\u{0}"])
    func `state is printable ASCII, and the error has it as it was`(state: String) throws {
        let refused = try location(["state": state])
        #expect(refused["error"] == "invalid_request")
        #expect(refused["state"] == state)
        #expect(try location(["state": " !\"&=+%~"]).base == "https://login.acme.example/authorize")
    }

    @Test func `a state with every printable character comes back unchanged`() throws {
        let state = String(decoding: (0x20...0x7E).map { UInt8($0) }, as: UTF8.self)
        var browser = Browser(try Installation())
        var app = AppClient.shop
        app.state = state
        #expect(try browser.signIn(app)["state"] == state)
    }

    @Test func `nonce: 128 bytes are taken, 129 are refused`() throws {
        let longest = String(repeating: "n", count: 128)
        #expect(try location(["nonce": longest]).base == "https://login.acme.example/authorize")
        let refused = try location(["nonce": longest + "n"])
        #expect(refused["error"] == "invalid_request")
        #expect(refused["state"] == "state-of-the-app")
    }

    @Test func `a parameter that is passed on: 512 bytes are taken, 513 are refused`() throws {
        let longest = String(repeating: "h", count: 512)
        #expect(try location(["login_hint": longest])["login_hint"] == longest)
        #expect(try location(["login_hint": longest + "h"])["error"] == "invalid_request")
        // What is not passed on has no such limit.
        #expect(try location(["other": longest + "h"])["error"] == nil)
        #expect(try location(["login_hint": String(repeating: "ü", count: 256)])["error"] == nil)
        #expect(try location(["login_hint": String(repeating: "ü", count: 257)])["error"] == "invalid_request")
        for control in ["\u{0}", "\t", "\r\n", "\u{1F}", "\u{7F}"] {
            #expect(try location(["login_hint": "ada" + control])["error"] == "invalid_request")
        }
    }

    @Test
    func `the longest names with state and nonce up to the limit, and max_age, still fit or are refused at the start`()
        throws
    {
        let name = "a" + String(repeating: "b", count: 31)
        let location = try self.location(
            [
                "state": String(repeating: "s", count: 2048), "nonce": String(repeating: "n", count: 128),
                "max_age": "3600",
            ]
        ) {
            $0.providers[0].name = name
            $0.apps[0].name = name
        }
        if location["error"] == nil {
            #expect((location["state"] ?? "").utf8.count <= 1100)
        } else {
            #expect(location["error"] == "invalid_request")
        }
    }

    @Test func `100 parameters are read, 101 are refused`() throws {
        let installation = try Installation()
        let own = AppClient.shop.parameters.count
        let fill = (0..<(100 - own)).map { ("p\($0)", "v") }
        #expect(try installation.get(AppClient.shop.target(adding: fill)).status == 303)
        #expect(try installation.get(AppClient.shop.target(adding: fill + [("q", "v")])).status == 400)
    }
}
