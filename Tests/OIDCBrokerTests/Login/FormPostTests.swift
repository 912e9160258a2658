// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBrokerTesting
import OpenIDConnect
import Testing

@testable import OIDCBroker

@Suite("A provider that answers by form_post")
struct FormPostTests {
    private static let mark = "One more step"

    private func installation() throws -> Installation {
        try Installation { $0.providers[0].responseMode = .formPost }
    }

    @Test("is asked to, and the cookie goes along with its cross-site POST")
    func request() throws {
        var browser = Browser(try self.installation())
        let request = try browser.start()
        #expect(request["response_mode"] == "form_post")
        let cookie = try #require(browser.jar.cookies.first)
        #expect(cookie.sameSite == "None")
        #expect(cookie.name.hasPrefix("__Host-oidc-"))
    }

    @Test("S10 the POST completes at once")
    func post() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let location = try Location(try browser.bringForm(try browser.authenticate()))
        #expect(location["code"] != nil)
        #expect(location["state"] == "state-of-the-app")
        #expect(browser.jar.cookies.isEmpty)
    }

    @Test("S10 is never judged by Fetch metadata")
    func fetchMetadata() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        let response = try browser.post(
            Installation.handler, answer, site: .crossSite, origin: "https://elsewhere.example"
        ) {
            $0[.secFetchMode] = "cors"
            $0[.secFetchDestination] = "empty"
        }
        #expect(response.status == 303)
    }

    @Test("S11 where the browser withholds the cookie, our own page sends the form once more")
    func repost() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        browser.withholdsCrossSiteCookies = true
        let answer = try browser.authenticate()
        let page = try browser.bringForm(answer + [("unknown", "field\"><script>"), ("user", "{\"a\":\"<b>&'\"}")])
        #expect(page.status == 200)
        #expect(page.heading == Self.mark)
        #expect(page.setCookies.isEmpty)
        #expect(!page.text.contains("<script"))
        let form = try Browser.PageForm(page)
        #expect(form.action == Installation.handler)
        for (name, value) in answer { #expect(form.fields.contains { $0 == (name, value) }) }
        #expect(form.fields.contains { $0 == ("user", "{\"a\":\"<b>&'\"}") })
        #expect(!form.fields.contains { $0.0 == "unknown" })
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.submit(page).status == 303)
        #expect(installation.log.outcomes == ["reposting", "signed_in"])
    }

    @Test("S11 the page comes once: who has no cookie then gets an end")
    func repostOnce() throws {
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
        #expect(try browser.submit(page).heading == "You have already signed in")
    }

    @Test("S11 the page is not shown for a state that does not open or is out of date")
    func repostOnlyForLogins() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        browser.withholdsCrossSiteCookies = true
        var answer = try browser.authenticate()
        let good = answer
        answer[1].1 = "B" + answer[1].1.dropFirst()
        #expect(try browser.bringForm(answer).heading == "This link does not work")
        installation.clock.advance(by: 600)
        #expect(try browser.bringForm(good).heading == "This sign-in took too long")
    }

    @Test("with an http loopback URL the cookie is Lax, and the page brings it")
    func loopback() throws {
        let installation = try Installation {
            $0.publicURL = try #require(PublicURL("http://localhost:8080"))
            $0.providers[0].responseMode = .formPost
        }
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        #expect(browser.jar.cookies.map(\.sameSite) == ["Lax"])
        let page = try browser.bringForm(answer)
        #expect(page.heading == Self.mark)
        #expect(try browser.submit(page).status == 303)
    }

    @Test("S14 an answer in another mode than was asked for is refused and uses nothing up")
    func downgrade() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        let get = try browser.bring(answer)
        #expect(get.status == 400)
        #expect(installation.log.outcomes == ["misdirected"])
        #expect(try browser.bringForm(answer).status == 303)

        let query = try Installation()
        var second = Browser(query)
        let other = try second.authenticate()
        #expect(try second.bringForm(other).status == 400)
        #expect(query.log.outcomes == ["misdirected"])
        #expect(try second.bring(other).status == 303)
    }

    @Test(
        "S12 another content type is answered 415",
        arguments: [
            "application/json", "multipart/form-data; boundary=x", "text/plain", "",
            "application/x-www-form-urlencodedx", "application/x-www-form-urlencoded; charset=utf-16",
        ])
    func contentType(type: String) throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        let response = try browser.post(
            Installation.handler, answer, site: .crossSite, origin: installation.provider.issuer
        ) { $0[.contentType] = type.isEmpty ? nil : type }
        #expect(response.status == 415)
        #expect(try browser.bringForm(answer).status == 303)
    }

    @Test(
        "S15 parameters in both query and form are refused", arguments: ["code", "state", "iss", "error", "id_token"])
    func both(name: String) throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        let response = try browser.bringForm(answer, to: Installation.handler + "?\(name)=x")
        #expect(response.status == 400)
        #expect(installation.log.outcomes == ["unreadable"])
        #expect(try browser.bringForm(answer, to: Installation.handler + "?other=x").status == 303)
    }
}
