// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// What is at no path, or not by that method: a page for a user, JSON for an app.
struct MissingPageTests {
    @Test(arguments: ["/__/auth/nothing", "/__/auth/", "/__/auth/login/nobody", "/__/auth/\u{E9}"])
    func `a user sees a page, an app reads JSON`(path: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let page = try browser.get(path)
        #expect(page.status == 404)
        #expect(page.heading == "This page does not exist")
        #expect(page.head.headerFields[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        let json = try installation.get(path)
        #expect(json.status == 404)
        #expect(json.head.headerFields[.contentType] == "application/json")
        #expect(try json.json()["error"] == "invalid_request")
    }

    @Test(arguments: [("/__/auth/choose", "POST"), ("/__/auth/token", "POST, OPTIONS")])
    func `a method that is not allowed names those that are`(path: String, allowed: String) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let page = try browser.get(path)
        #expect(page.status == 405)
        #expect(page.heading == "This page cannot be loaded like this")
        #expect(page.head.headerFields[.allow] == allowed)
        let json = try installation.get(path)
        #expect(json.status == 405)
        #expect(json.head.headerFields[.allow] == allowed)
        #expect(try json.json()["error"] == "invalid_request")
    }
}
