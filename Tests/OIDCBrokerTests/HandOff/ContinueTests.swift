// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// "Continue to APP", for an app on the user's device.
struct ContinueTests {
    private static let title = "Continue to <bdi>"

    /// A browser that has been shown the page.
    private func page(_ installation: Installation, _ app: AppClient) throws -> (Browser, BrokerResponse) {
        var browser = Browser(installation)
        let page = try browser.bring(try browser.authenticate(app))
        return (browser, page)
    }

    @Test(arguments: [AppClient.desk, AppClient.phone])
    func `a login never completes without it`(app: AppClient) throws {
        let installation = try Installation()
        let (first, page) = try self.page(installation, app)
        var browser = first
        #expect(page.status == 200)
        #expect(page.heading?.hasPrefix(Self.title + DisplayedName.name(title: nil, key: app.clientID)) == true)
        #expect(page.head.headerFields[.location] == nil)
        let form = try PageForm(page)
        #expect(form.action == "/__/auth/continue")
        #expect(form.hidden.map(\.0) == ["login"])
        #expect(browser.jar.cookies.count == 1)
        #expect(installation.log.outcomes == ["continuing"])

        let location = try Location(try browser.submit(page))
        #expect(location.text.hasPrefix(app.redirectURI + "?code="))
        #expect(location["state"] == app.state)
        #expect(location["iss"] == Installation.issuer)
        #expect(browser.jar.cookies.isEmpty)
        #expect(installation.log.outcomes == ["continuing", "signed_in"])
        #expect(try installation.redeem(try #require(location["code"]), app).status == 200)
    }

    @Test func `an https app never sees it`() throws {
        var browser = Browser(try Installation())
        #expect(try browser.bring(try browser.authenticate(.shop)).status == 303)
    }

    /// Every hybrid app on Android answers this origin itself.
    @Test(arguments: [
        "https://localhost/callback", "https://localhost:443/callback", "https://tauri.localhost/callback",
    ])
    func `an app whose redirect URI is that of all hybrid apps sees it each time`(redirectURI: String) throws {
        let installation = try Installation { $0.apps[0].redirectURIs = [redirectURI] }
        var app = AppClient.shop
        app.redirectURI = redirectURI
        // Nothing in the browser remembers that the user continued before.
        var user = Browser(installation)
        for _ in 0..<2 {
            let page = try user.bring(try user.authenticate(app))
            #expect(page.heading?.hasPrefix(Self.title) == true)
            #expect(try Location(try user.submit(page)).text.hasPrefix(redirectURI + "?code="))
        }
        // The app of a developer, on a port of its own, is one site.
        app.redirectURI = "https://localhost:8443/callback"
        let other = try Installation { $0.apps[0].redirectURIs = [app.redirectURI] }
        var browser = Browser(other)
        #expect(try browser.bring(try browser.authenticate(app)).status == 303)
    }

    @Test func `works once`() throws {
        let (first, page) = try self.page(try Installation(), .desk)
        var browser = first
        let before = browser
        #expect(try browser.submit(page).status == 303)
        browser.jar = before.jar
        let again = try browser.submit(page)
        #expect(again.status == 400)
        #expect(again.heading == "This sign-in is finished or was interrupted")
    }

    @Test func `two decisions are none`() throws {
        let installation = try Installation()
        var (browser, page) = try self.page(installation, .phone)
        let form = try PageForm(page)
        let response = try browser.post(
            form.action, form.hidden + [("action", "cancel"), ("action", "cancel")], site: .sameOrigin,
            origin: Installation.origin)
        #expect(response.status == 400)
        #expect(response.head.headerFields[.location] == nil)
        // Nothing was used up.
        #expect(try browser.submit(page).status == 303)
    }

    @Test func `an app that is gone meanwhile is a change, not an end`() throws {
        let installation = try Installation()
        var (browser, page) = try self.page(installation, .phone)
        var configuration = installation.configuration
        configuration.apps.removeAll { $0.clientID == "phone" || $0.name == "phone" }
        try installation.broker.reload(configuration)
        let response = try browser.submit(page)
        #expect(response.status == 400)
        #expect(response.heading == PageTexts.english.changed.title)
    }

    @Test func `names the account, at most a hundred characters of it, escaped`() throws {
        let installation = try Installation()
        #expect(try page(installation, .desk).1.text.contains(#"<bdi id="account">ada@people.example</bdi>"#))
        installation.provider.behave {
            $0.claims = ["email": .null, "name": .string("<b>" + String(repeating: "x", count: 200))]
        }
        let named = try page(installation, .desk).1.text
        #expect(named.contains("&lt;b&gt;" + String(repeating: "x", count: 97) + "</bdi>"))
        var app = AppClient.desk
        app.scope = "openid"
        #expect(try !page(installation, app).1.text.contains(#"id="account""#))
    }

    @Test func `Cancel tells the app, once, and a return to it says so`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.phone
        let callback = try browser.authenticate(app)
        let page = try browser.bring(callback)
        let before = browser
        let response = try browser.submit(page, pressing: ("action", "cancel"))
        let location = try Location(response)
        #expect(location.text.hasPrefix(app.redirectURI + "?error=access_denied&"))
        #expect(location["state"] == app.state)
        #expect(location["iss"] == Installation.issuer)
        #expect(browser.jar.cookies.isEmpty)
        #expect(installation.log.outcomes == ["continuing", "cancelled"])
        // Without the cookie and with it, by the form and by the callback.
        #expect(try browser.bring(callback).heading == "You did not sign in")
        browser.jar = before.jar
        #expect(try browser.bring(callback).heading == "You did not sign in")
        #expect(try browser.submit(page).heading == "You did not sign in")
        #expect(installation.provider.count("/token") == 1)
    }

    @Test func `the page is shown again while it waits, after a denial too, and still continues once`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.desk
        let request = try browser.start(app)
        let callback = try installation.provider.signIn(request)
        _ = try browser.bring(callback)
        let again = try browser.bring(callback)
        #expect(again.heading?.hasPrefix(Self.title) == true)
        let denied = try browser.bring(installation.provider.refuse(request, "access_denied"))
        #expect(denied.heading?.hasPrefix(Self.title) == true)
        #expect(installation.provider.count("/token") == 1)
        let code = try #require(try Location(try browser.submit(again))["code"])
        #expect(try installation.redeem(code, app).status == 200)
        #expect(try browser.bring(callback).heading == "This sign-in is finished or was interrupted")
    }

    @Test func `it is not shown to another browser, and not after its ten minutes`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate(.desk)
        _ = try browser.bring(callback)
        var other = Browser(installation)
        #expect(try other.bring(callback).heading == "This sign-in is finished or was interrupted")
        installation.clock.advance(by: 600)
        #expect(try browser.bring(callback).heading == "This sign-in took too long")
    }

    @Test func `it waits for ten minutes, also where a login may take an hour`() throws {
        let installation = try Installation { $0.providers[0].loginLifetime = .seconds(3600) }
        var (browser, page) = try self.page(installation, .desk)
        var (lateBrowser, latePage) = try self.page(installation, .desk)
        installation.clock.advance(by: 599)
        #expect(try browser.submit(page).status == 303)
        installation.clock.advance(by: 1)
        let response = try lateBrowser.submit(latePage)
        #expect(response.status == 400)
        #expect(response.heading == "This sign-in is finished or was interrupted")
    }

    @Test func `needs the login's cookie, and a try without it does not use it up`() throws {
        let installation = try Installation()
        let (first, page) = try self.page(installation, .desk)
        var browser = first
        var other = Browser(installation)
        #expect(try other.submit(page).status == 400)
        let cookie = try #require(browser.jar.cookies.first)
        other.jar.toss(name: cookie.name, value: cookie.value)
        other.jar.toss(name: cookie.name, value: cookie.value)
        #expect(try other.submit(page).status == 400)
        #expect(!installation.log.outcomes.contains("signed_in"))
        #expect(try browser.submit(page).status == 303)
    }

    @Test func `another value under the cookie's name is refused and does not use it up`() throws {
        let installation = try Installation()
        let (first, page) = try self.page(installation, .desk)
        var browser = first
        var other = Browser(installation)
        let cookie = try #require(browser.jar.cookies.first)
        other.jar.toss(name: cookie.name, value: Base64URL.encode([UInt8](repeating: 1, count: 32)))
        #expect(try other.submit(page).status == 400)
        #expect(try browser.submit(page).status == 303)
    }

    @Test func `must come from our own page`() throws {
        let installation = try Installation()
        let (first, page) = try self.page(installation, .desk)
        var browser = first
        let form = try PageForm(page)
        let cookie = try #require(browser.jar.field(now: installation.clock.now(), onlyNone: false))
        for site in ["cross-site", "same-site", "none"] {
            let response = try browser.post(form.action, form.hidden, site: .sameOrigin, origin: Installation.origin) {
                $0[.cookie] = cookie
                $0[.secFetchSite] = site
            }
            #expect(response.status == 403, "\(site)")
        }
        let foreign = try browser.post(form.action, form.hidden, site: .sameOrigin, origin: "https://evil.example") {
            $0[.cookie] = cookie
            $0[.secFetchSite] = nil
        }
        #expect(foreign.status == 403)
        #expect(try browser.get("/__/auth/continue").status == 405)
        let json = try browser.post(form.action, form.hidden, site: .sameOrigin, origin: Installation.origin) {
            $0[.contentType] = "text/plain"
        }
        #expect(json.status == 415)
        // None of it used the login up.
        #expect(try browser.submit(page).status == 303)
    }

    @Test(arguments: ["", "x", "AAAA", "AAECAwQFBgcICQoLDA0ODxA"])
    func `a login value that is none is refused`(login: String) throws {
        var browser = Browser(try Installation())
        let response = try browser.post(
            "/__/auth/continue", [("login", login)], site: .sameOrigin, origin: Installation.origin)
        #expect(response.status == 400)
    }

    @Test func `a code from it lives sixty seconds from the user's click, not from the callback`() throws {
        let installation = try Installation()
        let app = AppClient.desk
        let (first, page) = try self.page(installation, app)
        var browser = first
        installation.clock.advance(by: 300)
        let code = try #require(try Location(try browser.submit(page))["code"])
        installation.clock.advance(by: 59)
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `is refused once the app's redirect URI is no longer configured`() throws {
        let installation = try Installation()
        let (first, page) = try self.page(installation, .desk)
        var browser = first
        var configuration = installation.configuration
        configuration.apps[2].redirectURIs = ["http://127.0.0.1/elsewhere"]
        try installation.broker.reload(configuration)
        #expect(try browser.submit(page).status == 400)
    }
}
