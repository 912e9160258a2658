// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import Crypto
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
@testable import OIDCBrokerState

/// The cookie that keeps a provider's ID token for the sign-out: when it spares the question, and when it does not.
struct SignOutCookieTests {
    private static let path = "/__/auth/logout"
    private static let afterwards = "https://shop.example/signed-out"
    private static let cookie = "__Secure-oidc-sign-out-0"

    /// A browser in which a user signed in.
    private struct SignedIn {
        let installation: Installation
        var browser: Browser

        init(
            providers: [String] = ["acme"], endSession: Bool = true,
            configure: (inout BrokerConfiguration) throws -> Void = { _ in }
        ) throws {
            installation = try Installation(providers: providers) {
                $0.apps[0].postLogoutRedirectURIs = [SignOutCookieTests.afterwards]
                try configure(&$0)
            }
            browser = Browser(installation)
            guard endSession else { return }
            for provider in installation.providers {
                provider.behave { $0.metadata["end_session_endpoint"] = .string(provider.issuer + "/end") }
            }
        }

        /// Signs in, and returns the ID token of the app.
        mutating func signIn(as subject: String = TestProvider.subject, at provider: Int = 0) throws -> String {
            installation.providers[provider].behave { $0.claims["sub"] = .string(subject) }
            var app = AppClient.shop
            app.provider = installation.configuration.providers[provider].name
            let code = try #require(try browser.signIn(app)["code"])
            return try #require(try installation.redeem(code, app).json()["id_token"]?.text?.makeString())
        }

        func target(_ hint: String) -> String {
            SignOutCookieTests.path + "?"
                + Query.encode([
                    ("id_token_hint", hint), ("post_logout_redirect_uri", SignOutCookieTests.afterwards),
                    ("state", "s"),
                ])
        }

        /// Signs out by a link of the app.
        mutating func signOut(
            _ hint: String, _ change: (inout HTTPFields) -> Void = { _ in }
        ) throws -> BrokerResponse {
            try browser.get(target(hint), change)
        }

        /// The subject of the ID token that the provider gets back; `nil` if it gets none.
        func hinted(_ location: Location) throws -> String? {
            let claims = location["id_token_hint"].flatMap { UnverifiedIDTokenPayload.claims(of: $0) }
            return claims?["sub"]?.text?.makeString()
        }

        /// The provider sends the browser back, and the broker sends it to the app.
        mutating func expectReturn(from location: Location) throws {
            let state = Query.encode([("state", try #require(location["state"]))])
            let app = try Location(try browser.get(SignOutCookieTests.path + "/done?" + state))
            #expect(app.text == SignOutCookieTests.afterwards + "?state=s")
        }

        var kept: [CookieJar.Cookie] { browser.jar.cookies.filter { $0.name.contains("oidc-sign-out-") } }
    }

    private static func isAsked(_ response: BrokerResponse) -> Bool {
        response.status == 200 && response.text.contains("Sign out of")
    }

    @Test func `one click signs out of the provider with its own ID token, and leads back to the app`() throws {
        var signedIn = try SignedIn()
        let hint = try signedIn.signIn()
        let cookie = try #require(signedIn.kept.first)
        #expect(cookie.name == Self.cookie && cookie.path == Self.path && cookie.isSecure && cookie.isHTTPOnly)
        #expect(cookie.sameSite == "lax" && cookie.maximumAge == 86_400)
        // The broker's ID token, too, is proof after it expired.
        signedIn.installation.clock.advance(by: 86_399)
        let provider = try Location(try signedIn.signOut(hint))
        #expect(provider.base == "https://login.acme.example/end")
        #expect(try signedIn.hinted(provider) == TestProvider.subject)
        #expect(provider["client_id"] == "broker-at-acme")
        #expect(signedIn.kept.isEmpty)
        try signedIn.expectReturn(from: provider)
        #expect(Self.isAsked(try signedIn.signOut(hint)), "a second time")
    }

    @Test func `the cookie shows nothing, and opens for nothing else`() throws {
        var signedIn = try SignedIn()
        _ = try signedIn.signIn()
        let value = try #require(signedIn.kept.first?.value)
        let bytes = try #require(Base64URL.decode(value))
        #expect(!String(decoding: bytes, as: UTF8.self).contains(TestProvider.subject))
        let sealer = StateSealer(
            keys: [LoginKeys(sealingKey: Array(repeating: 7, count: 32))], issuer: Installation.issuer)
        #expect(sealer.open(WireText(value), for: .signOut) != nil)
        for purpose in [StateSealer.Purpose.login, .logout, .accessToken, .choice] {
            #expect(sealer.open(WireText(value), for: purpose) == nil)
        }
    }

    @Test(.attack(.cookieTossing))
    func `a day later, with two cookies of the name, and after a prefetch the user is asked`() throws {
        var signedIn = try SignedIn()
        let hint = try signedIn.signIn()
        #expect(Self.isAsked(try signedIn.signOut(hint) { $0[.secPurpose] = "prefetch" }))
        var tossed = signedIn
        let value = try #require(tossed.kept.first?.value)
        tossed.browser.jar.toss(name: Self.cookie, value: value)
        let asked = try tossed.signOut(hint)
        #expect(Self.isAsked(asked))
        // It is not known which one is the browser's own.
        #expect(try tossed.hinted(try Location(try tossed.browser.submit(asked))) == nil)
        var altered = signedIn
        altered.browser.jar.replace(Self.cookie, with: String(value.dropLast(4)) + "AAAA")
        #expect(Self.isAsked(try altered.signOut(hint)))
        signedIn.installation.clock.advance(by: 86_400)
        #expect(Self.isAsked(try signedIn.signOut(hint)))
        // The server does not rely on the browser for that.
        #expect(Self.isAsked(try signedIn.signOut(hint) { $0[.cookie] = "\(Self.cookie)=\(value)" }))
    }

    @Test func `another subject is asked, and so is who has only a hint`() throws {
        var signedIn = try SignedIn()
        let ada = try signedIn.signIn()
        let eve = try signedIn.signIn(as: "eve")
        let asked = try signedIn.signOut(ada)
        #expect(Self.isAsked(asked))
        var stranger = signedIn
        stranger.browser = Browser(signedIn.installation)
        #expect(Self.isAsked(try stranger.signOut(eve)))
        // Who confirms signs out of the session that the browser has.
        #expect(try signedIn.hinted(try Location(try signedIn.browser.submit(asked))) == "eve")
    }

    @Test func `a form of another origin asks, even if the browser sends the cookie`() throws {
        var signedIn = try SignedIn()
        let hint = try signedIn.signIn()
        let cookie = "\(Self.cookie)=\(try #require(signedIn.kept.first?.value))"
        for (site, origin) in [(Browser.Site.crossSite, "https://evil.example"), (.sameSite, "https://shop.example")] {
            let response = try signedIn.browser.post(
                Self.path, [("id_token_hint", hint)], site: site, origin: origin
            ) { $0[.cookie] = cookie }
            #expect(Self.isAsked(response))
        }
    }

    @Test func `after a change of keys the user is asked once, and the provider gets its ID token`() throws {
        var signedIn = try SignedIn()
        let hint = try signedIn.signIn()
        var configuration = signedIn.installation.configuration
        configuration.signingKeys = [Secret(P256.Signing.PrivateKey().pemRepresentation)]
        try signedIn.installation.broker.reload(configuration)
        let asked = try signedIn.signOut(hint)
        #expect(Self.isAsked(asked) && asked.text.contains("id=\"cancel\""))
        let provider = try Location(try signedIn.browser.submit(asked))
        #expect(try signedIn.hinted(provider) == TestProvider.subject)
        try signedIn.expectReturn(from: provider)
        // Without the sealing key there is no cookie either.
        _ = try signedIn.signIn()
        configuration.sealingKeys = [Secret(Installation.secondSealingKey)]
        try signedIn.installation.broker.reload(configuration)
        let again = try Location(try signedIn.browser.submit(try signedIn.signOut(hint)))
        #expect(try signedIn.hinted(again) == nil)
    }

    @Test func `each provider has a cookie, four at most, and a sign-out uses one`() throws {
        let names = ["acme", "globex", "initech", "hooli", "umbrella"]
        var signedIn = try SignedIn(providers: names)
        let first = try signedIn.signIn()
        let second = try signedIn.signIn(as: "ada-at-globex", at: 1)
        #expect(signedIn.kept.count == 2)
        let provider = try Location(try signedIn.signOut(second))
        #expect(provider.base == "https://login.globex.example/end")
        #expect(try signedIn.hinted(provider) == "ada-at-globex")
        #expect(signedIn.kept.map(\.name) == [Self.cookie])
        for position in 1..<names.count { _ = try signedIn.signIn(at: position) }
        #expect(signedIn.kept.count == SignOutCookie.maximumCount)
        // The fifth took the place of the first, and is of no use to it.
        let asked = try signedIn.signOut(first)
        #expect(Self.isAsked(asked))
        let unhinted = try Location(try signedIn.browser.submit(asked))
        #expect(unhinted.base == "https://login.acme.example/end" && unhinted["id_token_hint"] == nil)
    }

    @Test func `there is none without an end session endpoint, or where it is turned off`() throws {
        for var signedIn in [try SignedIn(endSession: false), try SignedIn { $0.providers[0].logout = false }] {
            let hint = try signedIn.signIn()
            #expect(signedIn.kept.isEmpty)
            #expect(Self.isAsked(try signedIn.signOut(hint)))
        }
    }

    @Test func `it is also left where the user continues to an app on the device`() throws {
        var signedIn = try SignedIn()
        _ = try signedIn.browser.signIn(.phone)
        #expect(signedIn.kept.map(\.name) == [Self.cookie])
    }

    /// With 128 bytes more in each row, from a token that fits to one that does not.
    @Test func `the head of a response stays below 4 KB, with the cookie or without it`() throws {
        var counts: [Int] = []
        for length in stride(from: 512, through: 3072, by: 128) {
            var signedIn = try SignedIn()
            signedIn.installation.provider.behave { $0.claims["x"] = .string(String(repeating: "x", count: length)) }
            let response = try signedIn.browser.bring(try signedIn.browser.authenticate())
            let head = response.head.headerFields.reduce(0) {
                $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4
            }
            #expect(head <= SignOutCookie.maximumHeadLength - SignOutCookie.headReserve)
            counts.append(signedIn.kept.count)
        }
        #expect(counts.first == 1 && counts.last == 0)
    }

    @Test func `a hint that would make the way to the provider too long is left out`() throws {
        var signedIn = try SignedIn()
        signedIn.installation.provider.behave { $0.claims["x"] = .string(String(repeating: "x", count: 900)) }
        let hint = try signedIn.signIn()
        #expect(signedIn.kept.count == 1)
        for (length, isSent) in [(1, true), (1800, false)] {
            var other = signedIn
            let state = String(repeating: "s", count: length)
            let response = try other.browser.get(
                Self.path + "?" + Query.encode([("id_token_hint", hint), ("state", state)]))
            #expect((try Location(response)["id_token_hint"] != nil) == isSent)
        }
    }

    @Test func `a kept token comes back as it was`() throws {
        let kept = KeptIDToken(issuedAt: 5, fingerprint: [1, 2], subject: "s", idToken: "e30.eyJhIjoxfQ.AP_-")
        let encoded = try #require(kept.encoded)
        #expect(KeptIDToken(encoded: encoded) == kept)
        for count in 0..<encoded.count { #expect(KeptIDToken(encoded: Array(encoded[..<count])) == nil) }
        #expect(KeptIDToken(encoded: encoded + [0]) == nil)
    }

    /// It could not come back byte for byte, and the provider would not verify it.
    @Test(arguments: ["", "e30", "e30.e30", "e30.e30.e30.e30", "e31.e30.AA", "e30.e30.AA==", "e30.e30.A"])
    func `a text that is no compact JWS, or is not encoded as one, is not kept`(text: String) {
        #expect(KeptIDToken(issuedAt: 5, fingerprint: [1], subject: "s", idToken: text).encoded == nil)
    }
}
