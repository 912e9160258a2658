// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerPages

/// A second click on a button whose first click was answered already, while the page is still shown: a browser shows a
/// page until the next one begins to arrive, and a link to an app on the device leaves it where it is.
struct SecondClickTests {
    @Test(.attack(.replayedCallback))
    func `on a provider's button: the user comes to the provider, and both logins finish`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target())
        let first = try Location(try browser.submit(page, pressing: ("provider", "globex")))
        let second = try Location(try browser.submit(page, pressing: ("provider", "globex")))
        #expect(first["state"] != second["state"])
        for request in [second, first] {
            let callback = try installation.provider(at: request).signIn(request)
            try browser.expectSignIn(callback)
        }
        #expect(browser.jar.cookies.count <= 1)
    }

    /// A service worker with navigation preload makes Chromium ask twice, and drop the first answer but for its cookies.
    @Test func `a callback that is sent twice by itself leads on with one click, to the app`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let callback = try browser.authenticate()
        #expect(try Location(try browser.bring(callback))["code"] != nil)
        let page = try browser.bring(callback)
        #expect(page.heading == "This sign-in is finished or was interrupted")
        #expect(page.text.contains("id=\"link\" href=\"https://shop.example/\""))
        let target =
            "https://shop.example/callback?error=temporarily_unavailable&amp;error_description=authentication_expired"
            + "&amp;state=state-of-the-app&amp;iss=https%3A%2F%2Fauth.example.com%2F__%2Fauth"
        #expect(page.text.contains("id=\"other-link\" href=\"\(target)\">Start again</a>"))
        #expect(installation.provider.count("/token") == 1)
    }

    @Test func `on another provider's button: the user comes to that one`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        let page = try browser.get(AppClient.shop.target())
        _ = try browser.submit(page, pressing: ("provider", "globex"))
        let request = try Location(try browser.submit(page, pressing: ("provider", "acme")))
        #expect(request.base == "https://login.acme.example/authorize")
    }

    @Test func `two hundred of them leave no more cookies than other starts`() throws {
        var browser = Browser(try Installation(providers: ["acme", "globex"]))
        var page = try browser.get(AppClient.shop.target())
        for _ in 0..<200 {
            let response = try browser.submit(page, pressing: ("provider", "globex"))
            #expect(browser.jar.cookies.count <= 24)
            // The page's own cookie is the oldest, and the first that is given up.
            if response.status != 303 { page = try browser.get(AppClient.shop.target()) }
        }
    }

    @Test(.attack(.replayedCallback), arguments: [AppClient.desk, AppClient.phone])
    func `on Continue: the user is told that it is done`(app: AppClient) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let page = try browser.bring(try browser.authenticate(app))
        let code = try #require(try Location(try browser.submit(page))["code"])
        let again = try browser.submit(page)
        #expect(again.status == 400)
        #expect(again.heading == "This sign-in is finished or was interrupted")
        #expect(again.setCookies.isEmpty)
        // The app has what it needs.
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `on Continue after Cancel, and on Cancel after it: the user is told that they did not sign in`() throws {
        var browser = Browser(try Installation())
        let page = try browser.bring(try browser.authenticate(.phone))
        let location = try Location(try browser.submit(page, pressing: ("action", "cancel")))
        #expect(location["error"] == "access_denied")
        for button in [nil, ("action", "cancel")] {
            let again = try browser.submit(page, pressing: button)
            #expect(again.status == 400)
            #expect(again.heading == "You did not sign in")
        }
    }

    @Test(.attack(.loginCSRF)) func `a form of a login that never returned is another browser's`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.post(
            "/__/auth/continue", [("login", "AAECAwQFBgcICQoLDA0ODw")], site: .sameOrigin, origin: Installation.origin)
        #expect(response.status == 400)
        #expect(response.heading == "This sign-in was not begun here")
    }
}
