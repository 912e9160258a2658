// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import Foundation
import OIDCBrokerTesting
import Testing
import TestingSupport

/// A connection from this machine has no client address, because its peer is assumed to be a proxy.
@Suite(.timeLimit(.minutes(10))) struct LoopbackClientTests {
    @Test(arguments: [true, false])
    func `failed exchanges over loopback are never shed`(isHTTP2: Bool) async throws {
        var options = SignInFixture.Options()
        options.version = isHTTP2 ? .automatic : .http1Only
        try await SignInFixture.run(options) { fixture in
            for _ in 0..<33 {
                let browser = fixture.browser()
                let response = try await fixture.goToProvider(browser, .publicApp, AppClient.Attempt())
                var url = try #require(URLComponents(string: try fixture.callbackLocation(of: response)))
                url.queryItems = url.queryItems?.map {
                    $0.name == "code" ? URLQueryItem(name: "code", value: "junk") : $0
                }
                let end = try await browser.open(try #require(url.string))
                #expect(end.status == 303, "\(end.body)")
                #expect(end.location?.contains("error=") == true)
            }
            #expect(fixture.askedPaths.count { $0 == "POST /token" } == 33)
            try await fixture.signInAndVerify(fixture.browser())
        }
    }
}
