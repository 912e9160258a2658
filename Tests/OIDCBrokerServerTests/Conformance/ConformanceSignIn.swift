// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerTesting
import Testing
import TestingSupport

/// A sign-in through the whole broker on real sockets, and its verdict.
struct ConformanceSignIn: Sendable {
    let options: SignInFixture.Options
    /// What the app asks for beyond the usual.
    var appParameters: [(String, String)] = []
    /// Whether there is a sign-in before, after which the provider's keys are replaced.
    var rotatesKeysBefore = false

    /// Runs it.
    func perform() async throws -> ConformanceVerdict {
        let log = OutcomeLog()
        var options = options
        options.logger = log.logger
        return try await SignInFixture.run(options) { fixture in
            if rotatesKeysBefore {
                try await fixture.signInAndVerify(fixture.browser())
                try fixture.provider.rotateKeys()
                fixture.provider.resetRecordedRequests()
            }
            return try await signIn(fixture, log)
        } afterwards: { verdict, provider in
            var verdict = verdict
            verdict.finalSteps = provider.steps
            verdict.violations = provider.violations()
            return verdict
        }
    }

    private func signIn(_ fixture: SignInFixture, _ log: OutcomeLog) async throws -> ConformanceVerdict {
        let app = AppClient.publicApp
        let browser = fixture.browser()
        let attempt = AppClient.Attempt()
        var page = try await fixture.start(browser, app, attempt, appParameters)
        if let location = page.location, location.hasPrefix(fixture.provider.issuer + "/") {
            let response = try await browser.open(location)
            page = try await fixture.comeBack(browser, response)
        }
        let steps = fixture.provider.steps
        guard page.location != nil else {
            try #require(page.status == 400, "\(page.body)")
            return ConformanceVerdict(end: .rejected(reason(log, fixture)), steps: steps)
        }
        let response = try AppResponse(page, app: app)
        #expect(response.state == attempt.state)
        guard response.error == nil else {
            #expect(response.code == nil)
            return ConformanceVerdict(end: .rejected(reason(log, fixture)), steps: steps)
        }
        let token = try await fixture.redeemAndVerify(response, app, attempt).token
        #expect(token.upstreamSubject == SignInFixture.ada.subject)
        // `-scope-userinfo-claims`: what the scopes ask for arrives, whatever the response type.
        #expect(token.email == SignInFixture.ada.email)
        #expect(token.name == SignInFixture.ada.name)
        return ConformanceVerdict(end: .accepted, steps: steps)
    }

    private func reason(_ log: OutcomeLog, _ fixture: SignInFixture) -> String {
        guard let outcome = log.outcomes.last else { return "not logged" }
        guard !outcome.detail.isEmpty else { return outcome.label }
        return ConformanceVerdict.reason(outcome.detail, issuer: fixture.provider.issuer)
    }
}
