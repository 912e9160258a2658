// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import Testing

/// What an acting browser adds to a navigation.
@Suite struct ActingBrowserTests {
    private static let host = "auth.example.com"

    private static func browser() throws -> ActingBrowser {
        var browser = ActingBrowser()
        try browser.take(
            ["lax=1; Path=/; Secure; SameSite=Lax", "none=2; Path=/; Secure; SameSite=None"], host: host, isSecure: true
        )
        return browser
    }

    private static func names(
        _ browser: ActingBrowser, isPost: Bool = false, from site: ActingBrowser.Site
    ) -> [String: String] {
        Dictionary(
            browser.fields(host: host, path: "/", isSecure: true, isPost: isPost, from: site).map {
                ($0.name, $0.value)
            }
        ) { first, _ in first }
    }

    @Test func `a navigation has Fetch Metadata and the cookies of its site`() throws {
        let browser = try Self.browser()
        let fields = Self.names(browser, from: .crossSite)
        #expect(
            fields == [
                "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "cross-site",
                "cookie": "lax=1; none=2",
            ])
        #expect(Self.names(browser, isPost: true, from: .sameSite)["cookie"] == "lax=1; none=2")
        #expect(Self.names(browser, isPost: true, from: .crossSite)["cookie"] == "none=2")
    }

    @Test func `a browser can withhold the cookies of a form of another site, and say nothing of where it comes from`()
        throws
    {
        var browser = try Self.browser()
        browser.withholdsCrossSiteCookies = true
        browser.sendsFetchMetadata = false
        #expect(Self.names(browser, isPost: true, from: .crossSite).isEmpty)
        #expect(Self.names(browser, from: .crossSite) == ["cookie": "lax=1; none=2"])
    }

    @Test func `a cookie that is refused is named without its value`() throws {
        var browser = ActingBrowser()
        let refusal = #expect(throws: ActingBrowser.CookieRefusal.self) {
            try browser.take(["__Host-a=secret; Path=/"], host: Self.host, isSecure: true)
        }
        #expect(refusal?.description == "a browser would not take the cookie __Host-a")
        #expect(browser.jar.cookies.isEmpty)
    }
}
