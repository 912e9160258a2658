// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import Testing

/// What a provider must not do is refused, the app is told no more than it must know, and the provider is asked for
/// nothing after what was wrong.
@Suite(.timeLimit(.minutes(2))) struct MisbehaviourTests {
    /// How a sign-in ends, and the last thing the provider is asked for on the way.
    struct Expected {
        /// nil: the person is signed in.
        let error: String?
        let last: Step

        init(_ error: String?, after last: Step) {
            self.error = error
            self.last = last
        }
    }

    /// What the provider is asked for in a sign-in with nothing cached, in this order.
    enum Step: String, CaseIterable {
        case discovery = "GET /.well-known/openid-configuration"
        case authorization = "GET /authorize"
        case token = "POST /token"
        case keys = "GET /jwks"
        case userInfo = "GET /userinfo"
    }

    @Test(arguments: Misbehaviour.allCases)
    func `each ends as it must`(misbehaviour: Misbehaviour) async throws {
        var options = SignInFixture.Options()
        options.misbehaviour = misbehaviour
        options.userInfo = true
        let expected = Self.expected(misbehaviour)
        try await SignInFixture.run(options) { fixture in
            let browser = fixture.browser()
            let attempt = AppClient.Attempt()
            let answer: AppAnswer
            var returnPage: CookieJarClient.Page?
            if expected.last == .discovery {
                answer = try AppAnswer(try await fixture.start(browser, .publicApp, attempt), app: .publicApp)
            } else {
                let page = try await fixture.goToProvider(browser, .publicApp, attempt)
                returnPage = page
                answer = try AppAnswer(try await fixture.comeBack(browser, page), app: .publicApp)
            }
            #expect(answer.error == expected.error)
            #expect(answer.state == attempt.state)
            #expect(answer.issuer == fixture.server.issuer)
            #expect((answer.code == nil) == (expected.error != nil))
            let steps = Step.allCases.prefix { $0 != expected.last }.map(\.rawValue) + [expected.last.rawValue]
            #expect(fixture.askedPaths == steps)
            guard expected.error != nil else {
                _ = try await fixture.redeemAndVerify(answer, .publicApp, attempt)
                return
            }

            // The same return again is a page, and the provider hears nothing of it.
            guard let returnPage else { return }
            let again = try await browser.open(try fixture.returnLocation(of: returnPage))
            #expect(again.status == 400)
            #expect(again.location == nil)
            #expect(fixture.askedPaths == steps)
        }
    }

    // `server_error`: what the provider says is wrong. `temporarily_unavailable`: it does not say it.
    // swift-format-ignore
    private static func expected(_ misbehaviour: Misbehaviour) -> Expected {
        switch misbehaviour {
        case .none: Expected(nil, after: .userInfo)
        case .discoveryUnavailable: Expected("temporarily_unavailable", after: .discovery)
        case .issuerMismatch: Expected("temporarily_unavailable", after: .discovery)
        case .keySetUnavailable: Expected("temporarily_unavailable", after: .keys)
        case .rotatedJustBeforeSigning: Expected(nil, after: .userInfo)
        case .omitsIssuer: Expected("server_error", after: .authorization)
        case .wrongIssuerInAuthorizationResponse: Expected("server_error", after: .authorization)
        case .tokenEndpointUnavailable: Expected("temporarily_unavailable", after: .token)
        case .errorFromTokenEndpoint: Expected("server_error", after: .token)
        case .redirectFromTokenEndpoint: Expected("server_error", after: .token)
        case .contentEncodingGzip: Expected("server_error", after: .token)
        case .oversizedTokenAnswer: Expected("server_error", after: .token)
        case .missingIDToken: Expected("server_error", after: .token)
        case .wrongSignature: Expected("server_error", after: .keys)
        case .algorithmNone: Expected("server_error", after: .token)
        case .unknownKeyID: Expected("server_error", after: .keys)
        case .wrongIssuer: Expected("server_error", after: .keys)
        case .wrongAudience: Expected("server_error", after: .keys)
        case .missingAudience: Expected("server_error", after: .keys)
        case .multipleAudiencesNoAzp: Expected("server_error", after: .keys)
        case .wrongAzp: Expected("server_error", after: .keys)
        case .missingSubject: Expected("server_error", after: .keys)
        case .missingIssuedAt: Expected("server_error", after: .keys)
        case .missingExpiry: Expected("server_error", after: .keys)
        case .expired: Expected("server_error", after: .keys)
        case .wrongNonce: Expected("server_error", after: .keys)
        case .missingNonce: Expected("server_error", after: .keys)
        case .wrongAtHash: Expected("server_error", after: .keys)
        case .userInfoWrongSubject: Expected("server_error", after: .userInfo)
        }
    }

    @Test func `keys replaced just before signing are fetched again, by one request`() async throws {
        try await SignInFixture.run { fixture in
            try await fixture.signInAndVerify(fixture.browser())
            fixture.provider.set(.rotatedJustBeforeSigning)
            fixture.provider.resetRecordedRequests()
            try await fixture.signInAndVerify(fixture.browser())
            #expect(fixture.askedPaths == ["GET /authorize", "POST /token", "GET /jwks"])
        }
    }

    @Test func `keys that no set has are not asked for by every sign-in`() async throws {
        try await SignInFixture.run { fixture in
            try await fixture.signInAndVerify(fixture.browser())
            fixture.provider.set(.unknownKeyID)
            for asksForKeys in [true, false, false] {
                fixture.provider.resetRecordedRequests()
                let answer = try await fixture.signIn(fixture.browser(), .publicApp, AppClient.Attempt())
                #expect(answer.error == "server_error")
                #expect(fixture.askedPaths.contains("GET /jwks") == asksForKeys)
            }
        }
    }
}
