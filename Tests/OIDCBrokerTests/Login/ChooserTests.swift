// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The choice among several providers.
struct ChooserTests {
    private func installation() throws -> Installation { try Installation(providers: ["acme", "globex"]) }

    private func isRefused(_ response: BrokerResponse) -> Bool {
        (400..<500).contains(response.status) && response.head.headerFields[.location] == nil
    }

    @Test func `is asked for by a page, and the chosen provider gets the browser`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target())
        #expect(page.status == 200)
        #expect(page.heading?.contains("Shop") == true)
        let form = try PageForm(page)
        #expect(form.action == "/__/auth/choose")
        #expect(form.buttons.map(\.1) == ["acme", "globex"])
        #expect(form.hidden.map(\.0) == ["login"])
        #expect(!page.text.contains("state-of-the-app"))
        #expect(browser.jar.cookies.map(\.sameSite) == ["lax"])
        #expect(installation.providers.allSatisfy { $0.requests.isEmpty })

        let request = try Location(try browser.submit(page, pressing: ("provider", "globex")))
        #expect(request.base == "https://login.globex.example/authorize")
        // The page's cookie is kept for a second click; the login has its own.
        #expect(browser.jar.cookies.count == 2)
        let location = try Location(try browser.bring(installation.providers[1].signIn(request)))
        #expect(location["state"] == "state-of-the-app")
        #expect(location["code"] != nil)
    }

    @Test(arguments: [AppClient.desk, AppClient.phone])
    func `spares an app on the device the Continue page`(app: AppClient) throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let page = try browser.get(app.target())
        let request = try Location(try browser.submit(page, pressing: ("provider", "acme")))
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        #expect(location.text.hasPrefix(app.redirectURI + "?code="))
    }

    @Test func `a provider that the app named spares nothing: the chooser was not used`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        var app = AppClient.desk
        app.provider = "acme"
        let response = try browser.bring(try browser.authenticate(app))
        #expect(response.status == 200)
        #expect(response.heading?.contains("Continue") == true)
    }

    @Test func `is not asked for where the app may use one provider only`() throws {
        let installation = try Installation(providers: ["acme", "globex"]) { $0.apps[0].providers = ["globex"] }
        var browser = Browser(installation)
        #expect(try browser.start().base == "https://login.globex.example/authorize")
    }

    @Test func `offers only providers that the app may use, and takes no other`() throws {
        let installation = try Installation(providers: ["acme", "globex", "initech"]) {
            $0.apps[0].providers = ["acme", "globex"]
        }
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target())
        #expect(try PageForm(page).buttons.map(\.1) == ["acme", "globex"])
        let location = try Location(try browser.submit(page, pressing: ("provider", "initech")))
        #expect(location.base == "https://shop.example/callback")
        #expect(location["error"] == "invalid_request")
    }

    @Test func `without the page's cookie it is refused`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target())
        var other = Browser(installation)
        #expect(try isRefused(other.submit(page, pressing: ("provider", "acme"))))
        // Nor with the cookie of another page of the same kind.
        _ = try other.get(AppClient.shop.target())
        #expect(try isRefused(other.submit(page, pressing: ("provider", "acme"))))
        #expect(try browser.submit(page, pressing: ("provider", "acme")).status == 303)
    }

    @Test func `a cookie of the right name with another value is refused`() throws {
        var browser = Browser(try self.installation())
        let page = try browser.get(AppClient.shop.target())
        let cookie = try #require(browser.jar.cookies.first)
        browser.jar.replace(cookie.name, with: String(repeating: "A", count: 43))
        #expect(try isRefused(browser.submit(page, pressing: ("provider", "acme"))))
    }

    @Test func `from another site it is refused, whatever the cookies are`() throws {
        var browser = Browser(try self.installation())
        let form = try PageForm(try browser.get(AppClient.shop.target()))
        let fields = form.hidden + [("provider", "acme")]
        let cookie = try #require(browser.jar.field(now: browser.installation.clock.now(), onlyNone: false))
        for site in ["cross-site", "same-site", "none", "\"same-origin\"", ""] {
            let response = try browser.post(form.action, fields, site: .sameOrigin, origin: Installation.origin) {
                $0[.cookie] = cookie
                $0[.secFetchSite] = site
            }
            #expect(isRefused(response), "\(site)")
        }
        browser.sendsFetchMetadata = false
        let response = try browser.post(form.action, fields, site: .sameOrigin, origin: "https://evil.example")
        #expect(isRefused(response))
    }

    @Test func `a browser that says nothing of sites is validated by Origin`() throws {
        var browser = Browser(try self.installation())
        browser.sendsFetchMetadata = false
        let form = try PageForm(try browser.get(AppClient.shop.target()))
        let response = try browser.post(
            form.action, form.hidden + [("provider", "acme")], site: .sameOrigin, origin: Installation.origin)
        #expect(response.status == 303)
    }

    @Test func `a sealed value that is foreign, changed or of a login is refused`() throws {
        let installation = try self.installation()
        var browser = Browser(installation)
        var app = AppClient.shop
        app.provider = "acme"
        let loginState = try #require(try browser.start(app)["state"])
        let page = try browser.get(AppClient.shop.target())
        let sealed = try #require(try PageForm(page).hidden.first?.1)
        let changed = String(sealed.dropLast(4)) + (sealed.hasSuffix("AAAA") ? "BBBB" : "AAAA")
        let foreign = try Installation(providers: ["acme", "globex"]) {
            $0.sealingKeys = [.init(Installation.secondSealingKey)]
        }
        var foreigner = Browser(foreign)
        let foreignPage = try foreigner.get(AppClient.shop.target())
        let foreignSealed = try #require(try PageForm(foreignPage).hidden.first?.1)
        for value in [changed, loginState, foreignSealed, "", "x"] {
            let response = try browser.post(
                "/__/auth/choose", [("login", value), ("provider", "acme")], site: .sameOrigin,
                origin: Installation.origin)
            #expect(isRefused(response), "\(value.prefix(20))")
        }
        #expect(try browser.submit(page, pressing: ("provider", "acme")).status == 303)
    }

    @Test(arguments: [600, 3600])
    func `is taken until ten minutes have passed, and not after, however long a login may take`(
        lifetime: Int64
    ) throws {
        let installation = try Installation(providers: ["acme", "globex"]) {
            for index in $0.providers.indices { $0.providers[index].loginLifetime = .seconds(lifetime) }
        }
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target())
        let jar = browser.jar
        installation.clock.advance(by: 599)
        #expect(try browser.submit(page, pressing: ("provider", "acme")).status == 303)
        browser.jar = jar
        let cookie = try #require(jar.field(now: installation.clock.now(), onlyNone: false))
        installation.clock.advance(by: 1)
        let form = try PageForm(page)
        // A browser that keeps the cookie for longer than it was told.
        let response = try browser.post(
            form.action, form.hidden + [("provider", "acme")], site: .sameOrigin, origin: Installation.origin
        ) { $0[.cookie] = cookie }
        #expect(isRefused(response))
    }

    @Test func `is a form sent by POST, with each field once`() throws {
        let installation = try self.installation()
        let get = try installation.get("/__/auth/choose?login=x&provider=acme")
        #expect(get.status == 405)
        #expect(get.head.headerFields[.allow] == "POST")
        var browser = Browser(installation)
        let form = try PageForm(try browser.get(AppClient.shop.target()))
        let fields = form.hidden + [("provider", "acme")]
        let json = try browser.post(form.action, fields, site: .sameOrigin, origin: Installation.origin) {
            $0[.contentType] = "application/json"
        }
        #expect(json.status == 415)
        let duplicate = try browser.post(
            form.action, fields + [("provider", "globex")], site: .sameOrigin, origin: Installation.origin)
        #expect(isRefused(duplicate))
    }

    @Test func `a page of each of 200 starts leaves no more than 24 cookies`() throws {
        var browser = Browser(try self.installation())
        for _ in 0..<200 { _ = try browser.get(AppClient.shop.target()) }
        #expect(browser.jar.cookies.count == 24)
    }
}
