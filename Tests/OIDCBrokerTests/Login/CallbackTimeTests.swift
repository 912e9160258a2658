// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// A login has ten minutes.
struct CallbackTimeTests {
    @Test(.attack(.expiredState)) func `in the last second it is taken, at exactly 600 s it is not`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let inTime = try browser.authenticate()
        let late = try browser.authenticate()
        let jar = browser.jar
        installation.clock.advance(by: 599)
        #expect(try browser.bring(inTime).status == 303)
        installation.clock.advance(by: 1)
        browser.jar = jar
        let page = try browser.bring(late)
        #expect(page.status == 400)
        #expect(page.heading == "This sign-in took too long")
        #expect(page.text.contains("href=\"https://shop.example/\""))
        #expect(installation.log.outcomes == ["signed_in", "expired"])
        #expect(installation.provider.count("/token") == 1)
    }

    @Test(arguments: [
        (AppClient.shop, "query", "https://shop.example/callback?"),
        (.shop, "fragment", "https://shop.example/callback#"),
        (.back, "query", "https://back.example/callback?from=broker&amp;"),
        (.phone, "query", "com.example.phone:/callback?"), (.desk, "query", "http://127.0.0.1:51004/callback?"),
    ])
    func `who was too late starts again with one click, at the app`(app: AppClient, mode: String, uri: String) throws {
        let page = try tooLate(app.target(["response_mode": mode]))
        let error = "error=temporarily_unavailable&amp;error_description=authentication_expired"
        let rest = "&amp;state=state-of-the-app&amp;iss=https%3A%2F%2Fauth.example.com%2F__%2Fauth"
        #expect(page.text.contains("id=\"other-link\" href=\"\(uri)\(error)\(rest)\">Start again</a>"))
        #expect(!page.text.contains("nonce-of-the-app"))
    }

    @Test func `where no response fits into a link, or the state was in the cookie, only the way back is shown`() throws
    {
        let long = String(repeating: "s", count: AppAuthorizationRequest.maximumStateLength)
        for target in [AppClient.shop.target(["response_mode": "form_post"]), AppClient.shop.target(["state": long])] {
            let page = try tooLate(target)
            #expect(page.text.contains("id=\"link\" href=\"https://shop.example/\""))
            #expect(!page.text.contains("id=\"other-link\""))
        }
    }

    /// The page of a callback that comes when the browser has dropped the cookie.
    private func tooLate(_ target: String) throws -> BrokerResponse {
        let installation = try Installation()
        var browser = Browser(installation)
        let late = try installation.provider.signIn(try Location(try browser.get(target)))
        installation.clock.advance(by: 600)
        browser.jar = CookieJar()
        let page = try browser.bring(late)
        #expect(page.status == 400)
        #expect(page.heading == "This sign-in took too long")
        return page
    }

    @Test(.attack(.expiredState)) func `the provider's own lifetime is that of state, cookie and claim`() throws {
        let installation = try Installation { $0.providers[0].loginLifetime = .seconds(1800) }
        var browser = Browser(installation)
        let start = try browser.get(AppClient.shop.target())
        #expect(start.setCookies.contains { $0.contains("Max-Age=1800") })
        let inTime = try installation.provider.signIn(try Location(start))
        let late = try browser.authenticate()
        let jar = browser.jar
        installation.clock.advance(by: 1799)
        #expect(try browser.bring(inTime).status == 303)
        // It is claimed until its end.
        browser.jar = jar
        #expect(try browser.bring(inTime).heading == "This sign-in is finished or was interrupted")
        installation.clock.advance(by: 1)
        #expect(try browser.bring(late).heading == "This sign-in took too long")
        #expect(installation.provider.count("/token") == 1)
    }

    @Test func `a reload changes no login that has begun`() throws {
        for (before, after, isTaken) in [(600, 1800, false), (1800, 600, true)] as [(Int64, Int64, Bool)] {
            let installation = try Installation { $0.providers[0].loginLifetime = .seconds(before) }
            var browser = Browser(installation)
            let response = try browser.authenticate()
            var configuration = installation.broker.configuration
            configuration.providers[0].loginLifetime = .seconds(after)
            try installation.broker.reload(configuration)
            installation.clock.advance(by: 900)
            let status = try browser.bring(response).status
            #expect(status == (isTaken ? 303 : 400))
        }
    }

    @Test(.attack(.clockThatGoesBack))
    func `a clock that goes back a minute is another replica's, ten minutes are not`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let near = try browser.authenticate()
        let far = try browser.authenticate()
        installation.clock.advance(by: -60)
        #expect(try browser.bring(near).status == 303)
        installation.clock.advance(by: -1)
        #expect(try browser.bring(far).status == 400)
        installation.clock.advance(by: -539)
        #expect(try browser.bring(far).status == 400)
        #expect(installation.provider.count("/token") == 1)
        // When the clock is right again nothing was used up.
        installation.clock.advance(by: 600)
        #expect(try browser.bring(far).status == 303)
    }
}
