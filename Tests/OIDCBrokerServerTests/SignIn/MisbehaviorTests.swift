// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

/// What a provider must not do is refused, the app is told no more than it must know, and the provider is asked for
/// nothing after what was wrong. Merely odd behavior is accepted.
@Suite(.timeLimit(.minutes(10))) struct MisbehaviorTests {
    @Test(arguments: Misbehavior.allCases)
    func `each ends as it must`(misbehavior: Misbehavior) async throws {
        let expected = ExpectedEnd(misbehavior)
        let options = expected.options(misbehavior)
        let way = ProviderStep.way(options)
        let index = try #require(way.firstIndex(of: expected.last))
        let steps = Array(way[...index])
        try await SignInFixture.run(options) { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let start = try await fixture.start(browser, .publicApp, attempt, expected.parameters)
            guard !expected.endsAtStart else {
                try await expect(expected, start, attempt, fixture)
                return
            }
            let page = try await browser.open(try #require(start.location))
            let end = try await fixture.comeBack(browser, page)
            try await expect(expected, end, attempt, fixture)
            #expect(fixture.provider.steps == steps)

            // The same callback again results in a page, and nothing is sent to the provider.
            guard expected.told != .signedIn, options.responseMode == .query, page.status == 303 else { return }
            let again = try await browser.open(try fixture.callbackLocation(of: page))
            #expect(again.status == 400)
            #expect(again.location == nil)
        } afterwards: { _, provider in
            #expect(provider.steps == steps)
            #expect(provider.violations() == [])
        }
    }

    private func expect(
        _ expected: ExpectedEnd, _ page: HTTPBrowser.Page, _ attempt: AppClient.Attempt, _ fixture: SignInFixture
    ) async throws {
        guard expected.told != .page else {
            #expect(page.status == 400)
            #expect(page.location == nil)
            return
        }
        let response = try AppResponse(page, app: .publicApp)
        #expect(response.state == attempt.state)
        #expect(response.issuer == fixture.server.issuer)
        switch expected.told {
        case .error(let error):
            #expect(response.error == error)
            #expect(response.code == nil)
        default:
            _ = try await fixture.redeemAndVerify(response, .publicApp, attempt)
        }
    }

    @Test func `keys replaced just before signing are fetched again, by one request`() async throws {
        try await SignInFixture.run { fixture in
            try await fixture.signInAndVerify(fixture.browser())
            fixture.provider.set(.rotatedJustBeforeSigning)
            fixture.provider.resetRecordedRequests()
            try await fixture.signInAndVerify(fixture.browser())
            #expect(fixture.provider.steps == [.authorization, .token, .keys])
        }
    }

    @Test func `keys that no set has are not asked for by every sign-in`() async throws {
        try await SignInFixture.run { fixture in
            try await fixture.signInAndVerify(fixture.browser())
            fixture.provider.set(.unknownKeyID)
            for asksForKeys in [true, false, false] {
                fixture.provider.resetRecordedRequests()
                let response = try await fixture.signIn(fixture.browser(), .publicApp, AppClient.Attempt())
                #expect(response.error == "server_error")
                #expect(fixture.provider.steps.contains(.keys) == asksForKeys)
            }
        }
    }
}
