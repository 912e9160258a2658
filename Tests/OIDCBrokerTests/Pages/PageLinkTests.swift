// SPDX-License-Identifier: Apache-2.0

import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Where pages lead whose login is not known.
struct PageLinkTests {
    @Test(arguments: [("shop", "https://shop.example/"), ("desk", nil), (nil, nil)] as [(String?, String?)])
    func `a link that does not work leads back to the only app, if that has an https URL`(
        app: String?, target: String?
    ) throws {
        let installation = try Installation { configuration in
            if let app { configuration.apps.removeAll { $0.name != app } }
        }
        let page = try installation.get(Installation.handler + "?state=x&code=y")
        #expect(page.status == 400)
        #expect(page.heading == "This link does not work")
        #expect(page.text.contains("id=\"link\"") == (target != nil))
        if let target { #expect(page.text.contains("id=\"link\" href=\"\(target)\"")) }
    }

    @Test(
        arguments: [
            ["redirect_uri": "https://evil.example/callback"], ["redirect_uri": nil],
            ["redirect_uri": "https://shop.example.evil.example/callback"],
        ] as [[String: String?]])
    func `a start with an invalid redirect URI leads back to the app, to the origin of a registered one`(
        changes: [String: String?]
    ) throws {
        let page = try Installation().get(AppClient.shop.target(changes))
        #expect(page.status == 400)
        #expect(page.text.contains("id=\"link\" href=\"https://shop.example/\""))
        #expect(!page.text.contains("evil"))
    }

    @Test func `a start of an unknown app and a broken sign-out lead back to the only app`() throws {
        for hasOne in [true, false] {
            let installation = try Installation { configuration in
                if hasOne { configuration.apps.removeAll { $0.name != "shop" } }
            }
            for target in [AppClient.shop.target(["client_id": "nobody"]), "/__/auth/logout?client_id=nobody"] {
                let page = try installation.get(target)
                #expect(page.status == 400)
                #expect(page.text.contains("id=\"link\" href=\"https://shop.example/\"") == hasOne, "\(target)")
                #expect(page.text.contains("id=\"link\"") == hasOne, "\(target)")
            }
        }
    }
}
