// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// A provider that responds with `form_post`.
struct FormPostTests {
    private static let mark = "One more step"

    private func installation() throws -> Installation {
        try Installation { $0.providers[0].configuration.responseMode = .formPost }
    }

    @Test func `is asked to, and the cookie goes along with its cross-site POST`() throws {
        var browser = Browser(try self.installation())
        let request = try browser.start()
        #expect(request["response_mode"] == "form_post")
        let cookie = try #require(browser.jar.cookies.first)
        #expect(cookie.sameSite == "none")
        #expect(cookie.name.hasPrefix("__Host-oidc-"))
    }

    @Test(.attack(.crossSiteFormPost)) func `the POST completes at once`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let location = try Location(try browser.bringForm(try browser.authenticate()))
        #expect(location["code"] != nil)
        #expect(location["state"] == "state-of-the-app")
        #expect(browser.jar.cookies.isEmpty)
    }

    @Test(
        .attack(.crossSiteFormPost),
        arguments: ["navigate", "navigate;x=1", nil] as [String?], ["empty", "iframe", "image", nil] as [String?])
    func `of Fetch metadata the mode alone decides: a service worker passes a navigation on as empty`(
        mode: String?, destination: String?
    ) throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let response = try browser.post(
            Installation.handler, callback, site: .crossSite, origin: "https://elsewhere.example"
        ) {
            $0[.secFetchMode] = mode
            $0[.secFetchDestination] = destination
        }
        #expect(response.status == 303)
    }

    @Test(
        .attack(.crossSiteFormPost),
        arguments: [
            "cors", "no-cors", "same-origin", "websocket", "\"navigate\"", "Navigate", "", "navigate, navigate",
        ])
    func `what a page sends by itself is refused before anything is read`(mode: String) throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let response = try browser.post(
            Installation.handler, callback, site: .crossSite, origin: installation.provider.issuer
        ) { $0[.secFetchMode] = mode }
        #expect(response.status == 403)
        #expect(response.setCookies.isEmpty)
        #expect(installation.log.outcomes == ["not_navigation"])
        #expect(installation.provider.count("/token") == 0)
        // Nothing was used up.
        #expect(try browser.bringForm(callback).status == 303)
    }

    @Test(.attack(.withheldCookie))
    func `where the browser withholds the cookie, our own page sends the form once more`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        browser.withholdsCrossSiteCookies = true
        let callback = try browser.authenticate()
        let page = try browser.bringForm(callback + [("unknown", "field\"><script>"), ("user", "{\"a\":\"<b>&'\"}")])
        #expect(page.status == 200)
        #expect(page.heading == Self.mark)
        #expect(page.setCookies.isEmpty)
        #expect(!page.text.contains("<script"))
        let form = try PageForm(page)
        #expect(form.action == Installation.handler)
        for (name, value) in callback { #expect(form.hidden.contains { $0 == (name, value) }) }
        #expect(form.hidden.contains { $0 == ("user", "{\"a\":\"<b>&'\"}") })
        #expect(!form.hidden.contains { $0.0 == "unknown" })
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.submit(page).status == 303)
        #expect(installation.log.outcomes == ["reposting", "signed_in"])
    }

    @Test(.attack(.withheldCookie)) func `the page comes once: who has no cookie then gets an end`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        browser.withholdsCrossSiteCookies = true
        let page = try browser.bringForm(try browser.authenticate())
        var other = Browser(installation)
        let end = try other.submit(page)
        #expect(end.status == 400)
        #expect(end.heading == "This sign-in was not begun here")
        // It consumed nothing.
        #expect(try browser.submit(page).status == 303)
        browser.jar = CookieJar()
        #expect(try browser.submit(page).heading == "This sign-in is finished or was interrupted")
    }

    @Test(.attack(.withheldCookie))
    func `the page is not shown for a state that does not open or is out of date`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        browser.withholdsCrossSiteCookies = true
        var callback = try browser.authenticate()
        let good = callback
        callback[1].1 = "B" + callback[1].1.dropFirst()
        #expect(try browser.bringForm(callback).heading == "This link does not work")
        installation.clock.advance(by: 600)
        #expect(try browser.bringForm(good).heading == "This sign-in took too long")
    }

    @Test func `with an http loopback URL the cookie is Lax, and the page brings it`() throws {
        let installation = try Installation {
            $0.publicURL = try #require(PublicURL("http://localhost:8080"))
            $0.providers[0].configuration.responseMode = .formPost
        }
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        #expect(browser.jar.cookies.map(\.sameSite) == ["lax"])
        let page = try browser.bringForm(callback)
        #expect(page.heading == Self.mark)
        #expect(try browser.submit(page).status == 303)
    }

    @Test(.attack(.responseModeDowngrade))
    func `a response in another mode than requested is refused and uses nothing up`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let get = try browser.bring(callback)
        #expect(get.status == 400)
        #expect(installation.log.outcomes == ["misdirected"])
        #expect(try browser.bringForm(callback).status == 303)

        let query = try Installation()
        var second = Browser(query)
        let other = try second.authenticate()
        #expect(try second.bringForm(other).status == 400)
        #expect(query.log.outcomes == ["misdirected"])
        #expect(try second.bring(other).status == 303)
    }

    @Test(
        .attack(.wrongFormContentType),
        arguments: [
            "application/json", "multipart/form-data; boundary=x", "text/plain", "",
            "application/x-www-form-urlencodedx", "application/x-www-form-urlencoded, text/plain",
        ])
    func `another content type is answered 415`(type: String) throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let response = try browser.post(
            Installation.handler, callback, site: .crossSite, origin: installation.provider.issuer
        ) { $0[.contentType] = type.isEmpty ? nil : type }
        #expect(response.status == 415)
        #expect(try browser.bringForm(callback).status == 303)
    }

    @Test(.attack(.parametersInQueryAndBody), arguments: ["code", "state", "iss", "error", "id_token"])
    func `parameters in both query and form are refused`(name: String) throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        let response = try browser.bringForm(callback, to: Installation.handler + "?\(name)=x")
        #expect(response.status == 400)
        #expect(installation.log.outcomes == ["unreadable"])
        // One without a value counts as omitted.
        #expect(try browser.bringForm(callback, to: Installation.handler + "?other=x&\(name)=").status == 303)
    }
}
