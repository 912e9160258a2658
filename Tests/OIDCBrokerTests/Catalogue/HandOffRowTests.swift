// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker

/// Attacks on redirects and on the hand-off to the app that are in no other suite.
struct HandOffRowTests {
    @Test(
        .attack(.nearlyARedirectURI),
        arguments: [
            "/%09/evil.example", "//evil%2f..", "https:app.example.com",
            "https://shop.example%00.evil.example/callback",
            "https://shop.example%2ecallback", "https://evil.example?https://shop.example/callback",
            "https://shop.example:443@evil.example/callback", "https://a@b@shop.example/callback",
            "\u{ff0f}\u{ff0f}evil.example", "https://shop\u{3002}example/callback", "view-source:https://shop.example",
            "https://shop.example/callback\u{2028}", "HTTPS://SHOP.EXAMPLE/callback",
            "https://shop.example/callback/..",
        ])
    func `what browsers read as another host is not the app's`(uri: String) throws {
        let page = try Installation().get(AppClient.shop.target(["redirect_uri": uri]))
        #expect(page.status == 400, "\(uri)")
        #expect(page.head.headerFields[.location] == nil)
    }

    @Test(.attack(.hostSuffix))
    func `a host that only ends like the app's is not the app's, for redirects and for pages that read responses`()
        throws
    {
        let installation = try Installation()
        for host in ["badshop.example", "bad.shop.example", "shop.example.evil.example", ".shop.example"] {
            let uri = "https://\(host)/callback"
            #expect(try installation.get(AppClient.shop.target(["redirect_uri": uri])).status == 400, "\(host)")
            let preflight = try installation.request(.options, "/__/auth/token", fields: [.origin: "https://\(host)"])
            #expect(preflight.head.headerFields[.accessControlAllowOrigin] == nil, "\(host)")
        }
        // A leading dot is a suffix in other programs: here it is part of the one host.
        guard
            let dotted = try? Installation(configure: { $0.apps[0].redirectURIs = ["https://.shop.example/callback"] })
        else { return }
        for host in ["shop.example", "bad.shop.example", "badshop.example"] {
            let uri = "https://\(host)/callback"
            #expect(try dotted.get(AppClient.shop.target(["redirect_uri": uri])).status == 400, "\(host)")
        }
    }

    @Test(
        .attack(.hostileScheme),
        arguments: ["http", "file", "javascript", "data", "intent"])
    func `schemes that systems act on cannot be an app's`(scheme: String) throws {
        #expect(throws: BrokerConfigurationError.self) {
            try Installation { $0.apps[3].redirectURIs = ["\(scheme)://phone/callback"] }
        }
        #expect(throws: BrokerConfigurationError.self) {
            try Installation { $0.apps[3].redirectURIs = ["\(scheme):/callback"] }
        }
    }

    @Test(.attack(.hostileScheme))
    func `an app with a scheme of its own gets the code for one use, and only there`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let location = try browser.signIn(.phone)
        #expect(location.base == "com.example.phone:/callback")
        #expect(location.query.names == ["code", "state", "iss"])
        // Another app's scheme is that app's alone.
        #expect(
            try installation.get(AppClient.shop.target(["redirect_uri": "com.example.phone:/callback"])).status == 400)
    }

    @Test(
        .attack(.markupInClaims),
        arguments: ["</script><script>alert(1)</script>", "\u{2028}alert(1)", "<!--<script>", "]]>", "\"><b>"])
    func `nothing of a claim stands in a page, so nothing of it can break out`(text: String) throws {
        let installation = try Installation()
        installation.provider.behave {
            $0.claims = [
                "name": .string("marker" + text), "email": .string("marker@\(text)"), "picture": .string(text),
            ]
        }
        var browser = Browser(installation)
        let page = try browser.bring(try browser.authenticate(.desk))
        #expect(page.heading?.hasPrefix("Continue to ") == true)
        #expect(!page.text.contains("marker"))
        #expect(!page.text.contains("<script"))
        #expect(!page.text.contains("\u{2028}"))
        let policy = try #require(page.head.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'"))
        #expect(!policy.contains("script-src"))
    }

    /// Every value of every field of a response is one line of printable ASCII.
    private func expectOneLine(_ response: BrokerResponse, _ context: String) {
        #expect(response.status < 500, "\(context)")
        for field in response.head.headerFields {
            #expect(field.value.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(context) \(field.name)")
        }
        #expect(!response.setCookies.contains { $0.contains("evil") }, "\(context)")
    }

    private static let splits = ["\r\nSet-Cookie: evil=1", "\nx", "\r", "\u{0}", "\u{85}", "\u{2028}x", "\u{7f}"]

    @Test(.attack(.splitHeaderFields), arguments: splits)
    func `nothing an app sends splits a field`(split: String) throws {
        let installation = try Installation(providers: ["acme", "globex"])
        for name in [
            "state", "nonce", "scope", "prompt", "login_hint", "provider", "client_id", "redirect_uri", "response_type",
            "code_challenge", "max_age", "acr_values", "ui_locales", "x" + split,
        ] {
            for value in ["a" + split, split + "a", split] {
                var changes: [String: String?] = [name: value]
                if name != "provider" { changes["provider"] = "acme" }
                expectOneLine(try installation.get(AppClient.shop.target(changes)), name)
            }
        }
        // The chooser seals the request as it came.
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target(["login_hint": split]))
        expectOneLine(page, "chooser")
        expectOneLine(try browser.submit(page, pressing: ("provider", "acme" + split)), "choice")
    }

    @Test(.attack(.splitHeaderFields), arguments: splits)
    func `nothing a provider sends splits a field`(split: String) throws {
        let installation = try Installation()
        for name in ["code", "state", "iss", "error", "error_description", "id_token", "session_state"] {
            var browser = Browser(installation)
            let request = try browser.start()
            let good = try installation.provider.signIn(request)
            let response = good.filter { $0.0 != name } + [(name, "a" + split)]
            expectOneLine(try browser.bring(response), name)
        }
        for claims: JSONObject in [
            ["name": .string(split), "email": .string("a" + split)], ["sub": .string("ada" + split)],
        ] {
            installation.provider.behave { $0.claims = claims }
            var browser = Browser(installation)
            expectOneLine(try browser.bring(try browser.authenticate()), "claims")
        }
    }

    @Test(.attack(.splitHeaderFields), arguments: splits)
    func `nothing in a provider's metadata splits a field`(split: String) throws {
        for member in ["authorization_endpoint", "token_endpoint", "issuer", "jwks_uri"] {
            let installation = try Installation()
            let url = "https://login.acme.example/x" + split
            installation.provider.behave { $0.metadata = [member: .string(url)] }
            let response = try installation.get(AppClient.shop.target())
            expectOneLine(response, member)
            #expect(try Location(response)["error"] == "temporarily_unavailable")
        }
    }
}
