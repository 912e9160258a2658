// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
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
