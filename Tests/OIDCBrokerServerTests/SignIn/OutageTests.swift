// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerTesting
import Testing
import TestingSupport

/// A provider that is down, and comes back.
@Suite(.timeLimit(.minutes(10))) struct OutageTests {
    /// No other test listens on this address, so the port of a stopped provider stays free.
    static let providerHost = "127.0.0.98"

    private static var options: SignInFixture.Options {
        var options = SignInFixture.Options()
        options.providerHost = providerHost
        return options
    }

    @Test func `down before the first sign-in`() async throws {
        try await SignInFixture.run(Self.options) { fixture in
            try await fixture.provider.shutdown()
            try await expectUnavailable(fixture)

            let provider = try await fixture.startProvider()
            // The failure is cached for two seconds, so that not every start results in a request to the provider.
            try await expectUnavailable(fixture)
            #expect(provider.recordedRequests().isEmpty)
            fixture.clock.advance(by: 3)
            try await fixture.signInAndVerify(fixture.browser())
            try await provider.shutdown()
        }
    }

    @Test func `down between start and callback`() async throws {
        try await SignInFixture.run(Self.options) { fixture in
            try await fixture.signInAndVerify(fixture.browser())
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let response = try await fixture.goToProvider(browser, .publicApp, attempt)
            try await fixture.provider.shutdown()
            let told = try AppResponse(try await fixture.comeBack(browser, response), app: .publicApp)
            #expect(told.error == "temporarily_unavailable")
            #expect(told.state == attempt.state)
            #expect(told.code == nil)

            // New keys: its first token has a key id that is not in the cached set.
            let provider = try await fixture.startProvider()
            fixture.clock.advance(by: 3)
            try await fixture.signInAndVerify(fixture.browser())
            #expect(
                provider.recordedRequests().map(\.path) == ["/authorize", "/token", "/jwks"],
                "the metadata of before still serve")
            try await provider.shutdown()
        }
    }

    private func expectUnavailable(_ fixture: SignInFixture) async throws {
        let browser = fixture.browser()
        let attempt = AppClient.Attempt()
        let response = try AppResponse(try await fixture.start(browser, .publicApp, attempt), app: .publicApp)
        #expect(response.error == "temporarily_unavailable")
        #expect(response.state == attempt.state)
        #expect(response.issuer == fixture.server.issuer)
        #expect(await browser.jar.cookies.isEmpty)
    }
}
