// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker

/// The attacks of RFC 9700 on URLs, pages and browsers.
struct PageAttackTests {
    /// The possible responses at the callback URL, each with the secrets in the URL of its request.
    private func answersAtCallback() throws -> [(kind: String, response: BrokerResponse, secrets: [String])] {
        let installation = try Installation()
        var browser = Browser(installation)
        var answers: [(kind: String, response: BrokerResponse, secrets: [String])] = []
        func add(_ kind: String, _ response: BrokerResponse, _ callback: [(String, String)]) {
            answers.append((kind, response, callback.filter { $0.0 == "code" || $0.0 == "state" }.map(\.1)))
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
        return answers
    }

    @Test(.attack(.redirectURIPattern)) func `a redirect URI that is a pattern is refused, or is no pattern`() throws {
        for pattern in [
            "https://*.shop.example/callback", "https://shop.example/*", "^https://shop.example/callback$",
            "https://shop.example/(callback|other)", "https://{tenant}.shop.example/callback",
            "https://shop.example/\\w+", "com.example.*:/callback",
        ] {
            #expect(throws: BrokerConfigurationError.self, "\(pattern)") {
                try Installation { $0.apps[0].redirectURIs = [pattern] }
            }
        }
        // What a URI may have stands for itself.
        for literal in [
            "https://shop.example/c.llback", "https://shop.example/call[b]ack", "https://shop.example/call+back",
        ] {
            let installation = try Installation { $0.apps[0].redirectURIs = [literal] }
            #expect(try installation.get(AppClient.shop.target()).status == 400, "\(literal)")
            #expect(try installation.get(AppClient.shop.target(["redirect_uri": literal])).status == 303, "\(literal)")
        }
    }

    @Test(.attack(.codeInReferer))
    func `a response to a URL with a code neither repeats it nor has a referrer`()
        throws
    {
        let answers = try answersAtCallback()
        #expect(answers.count == 9)
        for (kind, response, secrets) in answers {
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

    @Test(.attack(.tokenInBrowserHistory))
    func `no token stands in a URL: the app gets a code for one use, or an error`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var locations = [try browser.signIn(.shop), try browser.signIn(.back), try browser.signIn(.desk)]
        installation.provider.behave { $0.claims = ["nonce": "x"] }
        locations.append(try browser.signIn(.shop))
        let known: Set = ["code", "state", "iss", "error", "error_description", "from"]
        for location in locations {
            #expect(known.isSuperset(of: location.query.names))
            #expect(!location.text.contains("#"))
            for token in installation.provider.issuedSecrets { #expect(!location.text.contains(token)) }
        }
    }

    @Test(.attack(.openRedirection))
    func `a redirect URI that is not the app's ends in a page, however it is given`() throws {
        let installation = try Installation()
        let page = try installation.get(AppClient.shop.target(["redirect_uri": "https://evil.example/"]))
        #expect(page.status == 400)
        #expect(page.head.headerFields[.location] == nil)
        #expect(!page.text.contains("evil.example"))
        for name in ["redirectUrl", "redirect_url", "redirect", "return_to", "continue", "next", "target_link_uri"] {
            let location = try Location(
                try installation.get(AppClient.shop.target(adding: [(name, "https://evil.example/")])))
            #expect(!location.text.contains("evil.example"), "\(name)")
        }
    }

    @Test(.attack(.redirectThatRepeatsThePost))
    func `a POST is answered by 303, so that no browser posts it on`() throws {
        let form = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        var poster = Browser(form)
        #expect(try poster.bringForm(try poster.authenticate()).status == 303)
        #expect(try poster.bringForm(try form.provider.refuse(try poster.start(), "access_denied")).status == 303)
        let fragment = try Installation { $0.providers[0].configuration.responseMode = .fragment }
        var browser = Browser(fragment)
        #expect(try browser.bringFragment(try browser.authenticate()).status == 303)
        let several = try Installation(providers: ["acme", "globex"])
        var chooser = Browser(several)
        let choice = try chooser.submit(try chooser.get(AppClient.shop.target()), pressing: ("provider", "acme"))
        #expect(choice.status == 303)
        let device = try Installation()
        var person = Browser(device)
        #expect(try person.submit(try person.bring(try person.authenticate(.desk))).status == 303)
    }

    @Test(
        .attack(.forgedProxyFields),
        arguments: [
            "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Forwarded-Uri",
            "X-Original-URL", "X-Rewrite-URL", "Forwarded", "X-Host", "X-Real-IP",
        ])
    func `what a proxy might have said is not read`(name: String) throws {
        let field = try #require(HTTPField.Name(name))
        let installation = try Installation()
        var browser = Browser(installation)
        let spoof: (inout HTTPFields) -> Void = { $0[field] = "host=evil.example;proto=http" }
        let request = try Location(try browser.get(AppClient.shop.target(), spoof))
        #expect(request["redirect_uri"] == Installation.origin + Installation.handler)
        let callback = try installation.provider.signIn(request)
        let location = try Location(
            try browser.get(Installation.handler + "?" + Query.encode(callback), spoof))
        #expect(location["iss"] == Installation.issuer)
        #expect(!(request.text + location.text).contains("evil.example"))
    }

    // The broker gives out no refresh tokens: there is none to steal, to reuse or to rotate.
    @Test(.attack(.stolenRefreshToken)) func `the broker gives out no refresh token and takes none`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        #expect(try installation.redeem(code, app).json()["refresh_token"] == nil)
        let upstream = try #require(installation.provider.issuedSecrets.first { $0.hasPrefix("upstream-refresh") })
        let refused = try installation.token([
            ("grant_type", "refresh_token"), ("refresh_token", upstream), ("client_id", "shop"),
        ])
        #expect(try refused.json()["error"]?.text?.makeString() == "unsupported_grant_type")
    }

    @Test(.attack(.clickjacking)) func `no response may be framed`() throws {
        let fragment = try Installation { $0.providers[0].configuration.responseMode = .fragment }
        let chooser = try Installation(providers: ["acme", "globex"])
        let pages =
            try answersAtCallback().map(\.response) + [
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
            try answersAtCallback().map(\.response) + [
                fragment.get(Installation.handler), chooser.get(AppClient.shop.target()),
            ]
        for page in pages {
            for word in ["postMessage", "addEventListener", "onmessage", "opener", "target=", "window."] {
                #expect(!page.text.contains(word), "\(word)")
            }
        }
    }
}
