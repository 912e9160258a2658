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
}
