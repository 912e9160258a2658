// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// The end session endpoint: what is asked of the user, and where the user agent goes.
struct LogoutTests {
    private static let path = "/__/auth/logout"
    private static let afterwards = "https://shop.example/signed-out"

    /// A broker whose provider has an end session endpoint, and an ID token of the app `shop`.
    private struct SignedIn {
        let installation: Installation
        let idToken: String

        init(
            endSession: String? = "https://login.acme.example/end?x=1",
            configure: (inout BrokerConfiguration) throws -> Void = { _ in }
        ) throws {
            installation = try Installation {
                $0.apps[0].postLogoutRedirectURIs = [LogoutTests.afterwards, "http://127.0.0.1/signed-out"]
                try configure(&$0)
            }
            if let endSession {
                installation.provider.behave { $0.metadata["end_session_endpoint"] = .string(endSession) }
            }
            var browser = Browser(installation)
            let app = AppClient.shop
            let code = try #require(try browser.signIn(app)["code"])
            idToken = try #require(try installation.redeem(code, app).json()["id_token"]?.text?.makeString())
        }

        func ask(_ parameters: [(String, String)], fields: HTTPFields = [:]) throws -> BrokerResponse {
            try installation.get(LogoutTests.path + "?" + Query.encode(parameters), fields: fields)
        }

        func post(_ path: String, _ form: [(String, String)], fields: HTTPFields = [:]) throws -> BrokerResponse {
            var fields = fields
            fields[.contentType] = "application/x-www-form-urlencoded"
            return try installation.respond(
                BrokerRequest(
                    head: HTTPRequest(
                        method: .post, scheme: "https", authority: "auth.example.com", path: path,
                        headerFields: fields), body: ByteBuffer(string: Query.encode(form))))
        }

        /// The sealed request in the form of the page.
        func sealed(_ page: BrokerResponse) throws -> String {
            #expect(page.status == 200)
            let match = try #require(page.text.firstMatch(of: /name="logout" value="([^"]*)"/))
            return String(match.output.1)
        }

        func confirm(
            _ page: BrokerResponse, fields: HTTPFields = [.origin: Installation.origin]
        ) throws -> BrokerResponse {
            try post(LogoutTests.path + "/confirm", [("logout", try sealed(page))], fields: fields)
        }
    }

    @Test func `the user is asked, then the provider, then the app gets its state`() throws {
        let signedIn = try SignedIn()
        let page = try signedIn.ask([
            ("id_token_hint", signedIn.idToken), ("post_logout_redirect_uri", Self.afterwards), ("state", "s&1"),
        ])
        #expect(page.status == 200)
        #expect(page.text.contains("Sign out of"))
        #expect(page.text.contains("id=\"cancel\" href=\"https://shop.example/\">Cancel</a>"))
        #expect(!page.text.contains(signedIn.idToken))
        #expect(page.setCookies.isEmpty)
        let provider = try Location(try signedIn.confirm(page))
        #expect(provider.base == "https://login.acme.example/end")
        #expect(provider.query.names == ["x", "client_id", "post_logout_redirect_uri", "state"])
        #expect(provider["client_id"] == "broker-at-acme")
        #expect(provider["post_logout_redirect_uri"] == Installation.issuer + "/logout/done")
        let state = try #require(provider["state"])
        #expect(!state.contains("shop"))
        let app = try Location(try signedIn.installation.get(Self.path + "/done?" + Query.encode([("state", state)])))
        #expect(app.base == Self.afterwards)
        #expect(app.query.names == ["state"])
        #expect(app["state"] == "s&1")
    }

    /// What the sign-out of an app with a `state` gets at the provider, in a browser.
    private static func leave(_ browser: inout Browser, _ signedIn: SignedIn, state: String) throws -> Location {
        let parameters = [
            ("id_token_hint", signedIn.idToken), ("post_logout_redirect_uri", afterwards), ("state", state),
        ]
        let response = try browser.submit(try browser.get(path + "?" + Query.encode(parameters)))
        let head = response.head.headerFields.reduce(0) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4
        }
        #expect(head < SignOutCookie.maximumHeadLength)
        return try Location(response)
    }

    private static func back(_ browser: inout Browser, from provider: Location) throws -> BrokerResponse {
        try browser.get(path + "/done?" + Query.encode([("state", try #require(provider["state"]))]))
    }

    private static let stateCookie = "__Secure-oidc-sign-out-state"

    @Test(arguments: [1, 300, 1024])
    func `a long state comes back to the app, and makes the URL at the provider no longer`(count: Int) throws {
        let signedIn = try SignedIn()
        var browser = Browser(signedIn.installation)
        let sent = String(repeating: "s~", count: count)
        let provider = try Self.leave(&browser, signedIn, state: sent)
        #expect(try #require(provider["state"]).utf8.count <= StateSealer.maximumStateLength)
        #expect(provider.text.utf8.count < 1500)
        #expect((browser.jar.cookies.map(\.name) == [Self.stateCookie]) == (count == 1024))
        // However long the user is at the provider.
        signedIn.installation.clock.advance(by: 7200)
        #expect(try Location(try Self.back(&browser, from: provider))["state"] == sent)
        #expect(browser.jar.cookies.isEmpty)
    }

    @Test func `without its own state, an app gets no return, and a page leads to it`() throws {
        let signedIn = try SignedIn()
        let sent = String(repeating: "s", count: 2000)
        let other = Base64URL.encode(Array(String(repeating: "t", count: 2000).utf8))
        for kept in [nil, other, "!", ""] {
            var browser = Browser(signedIn.installation)
            let provider = try Self.leave(&browser, signedIn, state: sent)
            browser.jar.replace(Self.stateCookie, with: kept ?? "")
            if kept == nil { browser = Browser(signedIn.installation) }
            let page = try Self.back(&browser, from: provider)
            #expect(page.status == 200 && page.head.headerFields[.location] == nil)
            #expect(page.text.contains("id=\"link\" href=\"https://shop.example/\""))
        }
        // One that a sibling domain tossed in stands beside it.
        var browser = Browser(signedIn.installation)
        let provider = try Self.leave(&browser, signedIn, state: sent)
        browser.jar.toss(name: Self.stateCookie, value: other)
        #expect(try Location(try Self.back(&browser, from: provider))["state"] == sent)
    }

    @Test func `without an end session endpoint, or where it is turned off or away, it goes to the app at once`() throws
    {
        let cases = [
            try SignedIn(endSession: nil), try SignedIn { $0.providers[0].logout = false },
            try SignedIn(endSession: "not a URL"),
        ]
        for signedIn in cases {
            let page = try signedIn.ask([
                ("id_token_hint", signedIn.idToken), ("client_id", "shop"),
                ("post_logout_redirect_uri", Self.afterwards),
            ])
            #expect(try signedIn.confirm(page).head.headerFields[.location] == Self.afterwards)
        }
    }

    @Test func `without anything the user is signed out of nothing in particular`() throws {
        let signedIn = try SignedIn()
        for parameters in [[], [("state", "x")], [("logout_hint", "ada")]] {
            let page = try signedIn.ask(parameters)
            // Without an app it is not known where to.
            #expect(!page.text.contains("id=\"cancel\""))
            let response = try signedIn.confirm(page)
            #expect(response.status == 200)
            #expect(response.text.contains("Sign-out is finished"))
        }
    }

    @Test func `the only provider of an app is asked without a hint, and a page leads back to the app`() throws {
        let signedIn = try SignedIn()
        let page = try signedIn.ask([("client_id", "shop")])
        #expect(page.text.contains("id=\"cancel\" href=\"https://shop.example/\">"))
        let provider = try Location(try signedIn.confirm(page))
        #expect(provider.base == "https://login.acme.example/end")
        let done = try signedIn.installation.get(
            Self.path + "/done?" + Query.encode([("state", try #require(provider["state"]))]))
        #expect(done.status == 200 && done.text.contains("id=\"link\" href=\"https://shop.example/\""))
        let several = try Installation(providers: ["acme", "globex"])
        for provider in several.providers {
            provider.behave { $0.metadata["end_session_endpoint"] = "https://x.example/end" }
        }
        var browser = Browser(several)
        let asked = try browser.get(Self.path + "?client_id=shop")
        #expect(try browser.submit(asked).text.contains("Sign-out is finished"))
    }

    @Test func `a URI that one app alone registered leads back to it, and one that two have leads nowhere`() throws {
        for (isShared, location) in [(false, Self.afterwards + "?state=s"), (true, nil)] as [(Bool, String?)] {
            let signedIn = try SignedIn(endSession: nil) {
                if isShared { $0.apps[2].postLogoutRedirectURIs = [LogoutTests.afterwards] }
            }
            let page = try signedIn.ask([("post_logout_redirect_uri", Self.afterwards), ("state", "s")])
            #expect(page.text.contains("id=\"cancel\"") == !isShared)
            #expect(try signedIn.confirm(page).head.headerFields[.location] == location)
        }
    }

    /// Invalid hints; at most their app and provider count.
    @Test func `a hint that cannot be verified asks, and names the app and the provider`() throws {
        let signedIn = try SignedIn()
        let altered = String(signedIn.idToken.dropLast(4)) + "AAAA"
        let ask = { (hint: String) in
            try signedIn.ask([("id_token_hint", hint), ("post_logout_redirect_uri", Self.afterwards)])
        }
        let provider = try Location(try signedIn.confirm(try ask(altered)))
        #expect(provider.base == "https://login.acme.example/end" && provider["id_token_hint"] == nil)
        for hint in ["x", String(repeating: "x", count: 8193), "e30.e30.e30"] {
            #expect(try ask(hint).text.contains("Sign out of"), "the URI is that of one app alone")
        }
        #expect(signedIn.installation.log.text.contains("id_token_hint cannot be verified"))
    }

    @Test func `an expired hint and a form are accepted, and a loopback URI with any port`() throws {
        let signedIn = try SignedIn(endSession: nil)
        signedIn.installation.clock.advance(by: 86_400)
        let page = try signedIn.post(
            Self.path,
            [
                ("id_token_hint", signedIn.idToken), ("post_logout_redirect_uri", "http://127.0.0.1:5173/signed-out"),
                ("state", "s"),
            ])
        #expect(
            try signedIn.confirm(page).head.headerFields[.location] == "http://127.0.0.1:5173/signed-out?state=s")
    }

    @Test(arguments: [
        [("client_id", "nobody")], [("client_id", "shop"), ("client_id", "shop")],
        [("client_id", "shop"), ("state", String(repeating: "x", count: 2049))],
        [("client_id", "shop"), ("state", "\u{E9}")],
    ])
    func `what is wrong ends in a page, never in a redirect`(parameters: [(String, String)]) throws {
        let response = try SignedIn().ask(parameters)
        #expect(response.status == 400)
        #expect(response.head.headerFields[.location] == nil)
        #expect(response.text.contains("does not work"))
        #expect(response.text.contains("https://shop.example/") == parameters.contains { $0.0 == "state" })
    }

    @Test(
        arguments: [
            ("shop", LogoutTests.afterwards + "?x=1"), ("shop", LogoutTests.afterwards + "/"),
            ("shop", "https://shop.example/callback"), ("shop", "https://evil.example/"), ("shop", "//evil.example"),
            ("back-office", LogoutTests.afterwards), (nil, "https://evil.example/"),
        ] as [(String?, String)])
    func `a URI that is not the app's leads nowhere`(clientID: String?, uri: String) throws {
        let signedIn = try SignedIn(endSession: nil)
        let page = try signedIn.ask([("post_logout_redirect_uri", uri)] + (clientID.map { [("client_id", $0)] } ?? []))
        let response = try signedIn.confirm(page)
        #expect(response.status == 200 && response.head.headerFields[.location] == nil)
        #expect(response.text.contains("Sign-out is finished"))
        #expect(!response.text.contains("evil.example"))
    }

    @Test func `a hint of another app ends in a page that leads back`() throws {
        let signedIn = try SignedIn()
        let response = try signedIn.ask([("id_token_hint", signedIn.idToken), ("client_id", "back-office")])
        #expect(response.status == 400)
        #expect(response.text.contains("https://back.example/"))
    }

    @Test func `only the page of this origin confirms, within ten minutes, and what was sealed for it`() throws {
        // A logout does not have the time of a login.
        let signedIn = try SignedIn { $0.providers[0].loginLifetime = .seconds(3600) }
        let page = try signedIn.ask([("client_id", "shop"), ("post_logout_redirect_uri", Self.afterwards)])
        #expect(try signedIn.confirm(page, fields: [.origin: "https://evil.example"]).status == 403)
        let sealed = try signedIn.sealed(page)
        let early = try signedIn.installation.get(Self.path + "/done?" + Query.encode([("state", sealed)]))
        #expect(early.head.headerFields[.location] == nil, "not confirmed")
        for text in ["", "x", String(sealed.dropLast(2)) + "AA", String(repeating: "x", count: 4097)] {
            #expect(try signedIn.post(Self.path + "/confirm", [("logout", text)]).status == 400)
        }
        signedIn.installation.clock.advance(by: 599)
        #expect(try signedIn.confirm(page).head.headerFields[.location] != nil)
        // A page that was open for too long asks again.
        signedIn.installation.clock.advance(by: 1)
        let again = try signedIn.confirm(page)
        #expect(again.head.headerFields[.location] == nil)
        let provider = try Location(try signedIn.confirm(again))
        // The user may take any time at the provider.
        signedIn.installation.clock.advance(by: 7200)
        let state = Query.encode([("state", try #require(provider["state"]))])
        let app = try signedIn.installation.get(Self.path + "/done?" + state)
        #expect(app.head.headerFields[.location] == Self.afterwards)
    }

    @Test func `a page that embeds or fetches it gets nothing`() throws {
        let signedIn = try SignedIn()
        let mode = try #require(HTTPField.Name("Sec-Fetch-Mode"))
        #expect(try signedIn.ask([("client_id", "shop")], fields: [mode: "no-cors"]).status == 403)
        let page = try signedIn.ask([("client_id", "shop")])
        #expect(page.head.headerFields[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
        for (method, path, allow) in [
            (HTTPRequest.Method.put, "", "GET, POST"), (.get, "/confirm", "POST"), (.post, "/done", "GET"),
        ] {
            let response = try signedIn.installation.request(method, Self.path + path)
            #expect(response.status == 405)
            #expect(response.head.headerFields[.allow] == allow)
        }
    }

    @Test func `a provider that returns no state, and an app that is gone, end in a page`() throws {
        let signedIn = try SignedIn()
        #expect(try signedIn.installation.get(Self.path + "/done").text.contains("Sign-out is finished"))
        let other = try signedIn.installation.get(Self.path + "/done?state=x")
        #expect(other.status == 200 && other.head.headerFields[.location] == nil)
        let page = try signedIn.ask([("client_id", "shop"), ("post_logout_redirect_uri", Self.afterwards)])
        var configuration = signedIn.installation.configuration
        configuration.apps[0].postLogoutRedirectURIs = []
        try signedIn.installation.broker.reload(configuration)
        let state = try #require(try Location(try signedIn.confirm(page))["state"])
        let done = try signedIn.installation.get(Self.path + "/done?" + Query.encode([("state", state)]))
        #expect(done.text.contains("Sign-out is finished"))
    }

    @Test func `the last page is in the language of the request`() throws {
        let signedIn = try SignedIn()
        let page = try signedIn.ask([("id_token_hint", signedIn.idToken), ("ui_locales", "de")])
        #expect(page.text.contains("<html lang=\"de\""))
        let state = try #require(try Location(try signedIn.confirm(page))["state"])
        let done = try signedIn.installation.get(Self.path + "/done?" + Query.encode([("state", state)]))
        #expect(done.text.contains(PageTexts.german.signedOut.title))
        let other = try SignedIn(endSession: nil)
        let elsewhere = try other.confirm(try other.ask([("client_id", "shop"), ("ui_locales", "ja")]))
        #expect(elsewhere.text.contains(PageTexts.japanese.signedOut.title))
    }

    @Test func `a waiting logout comes back as it was`() throws {
        for texts in [[nil, nil, nil, nil], ["a", "b", "c", "d"], ["", nil, "", nil]] as [[String?]] {
            let pending = PendingLogout(
                phase: .provider, issuedAt: 1000, app: texts[0], provider: texts[1], redirectURI: texts[2],
                state: texts[3], language: texts[0].map { _ in .russian })
            #expect(PendingLogout(encoded: pending.encoded) == pending)
            for count in 0..<pending.encoded.count {
                #expect(PendingLogout(encoded: Array(pending.encoded[..<count])) == nil)
            }
            #expect(PendingLogout(encoded: pending.encoded + [0]) == nil)
            let session = [UInt8](repeating: 3, count: 16)
            let ending = PendingLogout(
                phase: .provider, issuedAt: 1000, app: texts[0], provider: texts[1], redirectURI: texts[2],
                state: texts[3], language: nil, session: session)
            #expect(PendingLogout(encoded: ending.encoded)?.session == session)
            #expect(PendingLogout(encoded: Array(ending.encoded.dropLast())) == nil)
            var waiting = ending
            #expect(waiting.keepStateInCookie() == texts[3])
            #expect(waiting.state == nil && waiting != ending || texts[3] == nil)
            var read = try #require(PendingLogout(encoded: waiting.encoded))
            #expect(read == waiting)
            for count in 0..<waiting.encoded.count where count != waiting.encoded.count - 16 {
                #expect(PendingLogout(encoded: Array(waiting.encoded[..<count])) == nil)
            }
            read.restoreState(from: ["x", texts[3] ?? "y"])
            #expect(read == ending)
            #expect(!pending.isStale(at: 1599))
            #expect(pending.isStale(at: 1600))
            #expect(!pending.renewed(at: 1600).isStale(at: 1600))
        }
    }
}
