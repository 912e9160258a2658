// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTPTypes
import OpenIDConnect
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The page that brings a fragment.
struct FragmentPageTests {
    private static let page = Pages(
        texts: .english, theme: PageTheme(BrokerConfiguration.Branding(), host: "auth.example.com")
    ).fragment(action: "/__/auth/handler")

    private static func response(_ target: String = Installation.handler, fields: HTTPFields = [:]) throws
        -> BrokerResponse
    {
        try Installation {
            $0.providers[0].configuration.responseType = .idToken
            $0.providers[0].configuration.responseMode = .fragment
        }.get(target, fields: fields)
    }

    /// What stands between the script's tags; there is one.
    private static func script(_ html: String) throws -> String {
        let scripts = html.matches(of: /<script>(.*?)<\/script>/.dotMatchesNewlines())
        #expect(scripts.count == 1)
        #expect(html.components(separatedBy: "<script").count == 2)
        let script = try #require(scripts.first)
        return String(script.1)
    }

    @Test func `runs one script, allowed by its hash, and nothing else`() throws {
        let response = try Self.response()
        let script = try Self.script(response.text)
        let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
        let policy = try #require(response.head.headerFields[.contentSecurityPolicy])
        var sources: [String: String] = [:]
        for directive in policy.split(separator: ";").map({ $0.split(separator: " ").map(String.init) }) {
            #expect(sources[directive[0]] == nil)
            sources[directive[0]] = directive.dropFirst().joined(separator: " ")
        }
        #expect(sources["script-src"] == "'sha256-\(hash)'")
        #expect(sources["default-src"] == "'none'")
        #expect(sources["base-uri"] == "'none'")
        #expect(sources["frame-ancestors"] == "'none'")
        #expect(sources["style-src"]?.hasPrefix("'sha256-") == true)
        // The form ends in a redirect to the app: some browsers would hold that to form-action too.
        #expect(sources.keys.sorted() == ["base-uri", "default-src", "frame-ancestors", "script-src", "style-src"])
        #expect(!policy.contains("unsafe"))
        #expect(!policy.contains("nonce-"))
    }

    @Test func `is stored nowhere, framed nowhere, and its form shows its own origin`() throws {
        let fields = try Self.response().head.headerFields
        #expect(fields[.cacheControl] == "no-store")
        #expect(fields[.contentType] == "text/html; charset=utf-8")
        #expect(fields[.frameOptions] == "DENY")
        #expect(fields[.xContentTypeOptions] == "nosniff")
        // Under no-referrer the POST would come with `Origin: null`.
        #expect(fields[.referrerPolicy] == "same-origin")
        #expect(fields[.setCookie] == nil)
        #expect(fields[.permissionsPolicy] == ResponseFields.permissionsPolicy)
    }

    @Test func `no other page has a script, or allows one`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        for target in [AppClient.shop.target(), Installation.handler, "/__/auth/authorize"] {
            let response = try installation.get(target)
            #expect(!response.text.contains("<script"))
            #expect(response.head.headerFields[.contentSecurityPolicy]?.contains("script-src") == false)
        }
    }

    @Test func `nothing of a request stands in it, apart from its language`() throws {
        let plain = try Self.response()
        let other = try Self.response(
            Installation.handler + "?",
            fields: [
                .cookie: "__Host-oidc-AAAAAAAAAAA=marker", .userAgent: "marker", .referer: "https://marker.example",
            ])
        #expect(plain.text == other.text)
        #expect(plain.text == Self.page.html)
        #expect(!plain.text.contains("marker"))
    }

    @Test func `its script clears the address before it sends anything, by POST, to where it stands`() throws {
        let script = try Self.script(Self.page.html)
        let clears = try #require(script.range(of: "history.replaceState(null,\"\",location.pathname)"))
        let submits = try #require(script.range(of: ".submit()"))
        let reads = try #require(script.range(of: "location.hash"))
        #expect(reads.lowerBound < clears.lowerBound)
        #expect(clears.upperBound < submits.lowerBound)
        for forbidden in [
            "innerHTML", "document.write", "eval", "postMessage", "opener", "fetch", "XMLHttpRequest", "localStorage",
            "sessionStorage", "cookie", "http:", "https:", "//", "<", "\n",
        ] {
            #expect(!script.contains(forbidden), "\(forbidden)")
        }
        #expect(Self.page.html.contains("<form method=\"post\" action=\"/__/auth/handler\" id=\"fragment-return\">"))
        #expect(Self.page.html.contains("<input type=\"hidden\" name=\"fragment\" value=\"\">"))
        for id in ["fragment-return", "waiting", "nothing"] {
            #expect(script.contains("getElementById(\"\(id)\")"))
            #expect(Self.page.html.contains("id=\"\(id)\""))
        }
        // It runs when all that it names is there.
        let form = try #require(Self.page.html.range(of: "</form>"))
        let tag = try #require(Self.page.html.range(of: "<script>"))
        #expect(form.upperBound < tag.lowerBound)
    }

    @Test func `says what to do where scripts do not run, and where there is no fragment`() {
        #expect(Self.page.html.contains("<noscript><p>"))
        #expect(Self.page.html.contains("Allow scripts for this page and load it again"))
        // Without scripts it says one thing.
        #expect(Self.page.html.contains("<p id=\"waiting\" hidden>"))
        #expect(Self.page.html.contains("<p id=\"nothing\" hidden>"))
    }

    @Test func `a hostile path does not break out of it`() {
        let page = Pages().fragment(action: "\"'><script>alert(1)</script>&")
        #expect(page.html.components(separatedBy: "<script").count == 2)
        #expect(page.html.contains("&lt;script&gt;"))
    }
}
