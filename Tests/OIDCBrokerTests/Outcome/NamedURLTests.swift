// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker

/// A log line of a provider that cannot be reached names the URL and the reason.
struct NamedURLTests {
    @Test func `at the start: the metadata`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.isDown = true }
        var browser = Browser(installation)
        #expect(try browser.start()["error"] == "temporarily_unavailable")
        #expect(
            installation.log.lines.last?.metadata["auth.detail"]
                == "\"discovery: no connection ('https://login.acme.example/.well-known/openid-configuration')\"")
    }

    @Test(
        arguments: [("/token", "token"), ("/jwks", "key_set")])
    func `at the callback: the token endpoint, the keys`(path: String, step: String) throws {
        let installation = try Installation()
        installation.provider.behave { $0.deadPaths = [path] }
        var browser = Browser(installation)
        #expect(try browser.signIn()["error"] == "temporarily_unavailable")
        #expect(
            installation.log.lines.last?.metadata["auth.detail"]
                == "\"\(step): no connection ('https://login.acme.example\(path)')\"")
    }
}
