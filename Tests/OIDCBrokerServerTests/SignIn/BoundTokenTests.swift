// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Access tokens that are bound to a certificate (RFC 8705 section 3) or to the key of a login (RFC 9449), with a provider
/// that refuses whatever is not right, on sockets with TLS.
@Suite(.timeLimit(.minutes(10))) struct BoundTokenTests {
    private static func options(
        _ binding: OpenIDProvider.Client.TokenBinding, _ method: ClientAuthenticationMethod, isPushed: Bool = true
    ) -> SignInFixture.Options {
        var options = SignInFixture.Options()
        options.tokenBinding = binding
        options.clientAuthentication = method
        options.clientSecret = method == .clientSecretBasic ? SignInFixture.clientSecret : nil
        options.userInfo = true
        options.requiresPushedAuthorization = isPushed
        return options
    }

    /// What the broker tells the user instead of a sign-in, and what the provider holds against the broker.
    private static func refusal(_ options: SignInFixture.Options) async throws -> (error: String?, [String]) {
        try await SignInFixture.run(options) { fixture in
            try await fixture.signIn(fixture.browser(), .publicApp, AppClient.Attempt()).error
        } afterwards: { error, provider in
            (error, provider.violations())
        }
    }

    @Test(
        arguments: [
            (.certificate, .privateKeyJWT, true), (.certificate, .tlsClientAuth, true),
            (.certificate, .clientSecretBasic, false), (.dpop, .privateKeyJWT, true), (.dpop, .tlsClientAuth, true),
            (.dpop, .clientSecretBasic, false),
        ] as [(OpenIDProvider.Client.TokenBinding, ClientAuthenticationMethod, Bool)])
    func `each binding goes with each authentication, by the profile fapi-2 where it has the two`(
        binding: OpenIDProvider.Client.TokenBinding, method: ClientAuthenticationMethod, isFAPI: Bool
    ) async throws {
        var options = Self.options(binding, method, isPushed: isFAPI)
        options.securityProfile = isFAPI ? .fapi2 : nil
        try await SignInFixture.run(options) { [options] fixture in
            let token = try await fixture.signInAndVerify(fixture.browser())
            #expect(token.email == "ada@example.com")
            #expect(fixture.provider.steps == ProviderStep.way(options))
            let requests = fixture.provider.recordedRequests()
            let named = requests.filter { $0.parameter("dpop_jkt") != nil }.map(\.path)
            #expect(named == (binding == .dpop ? [isFAPI ? "/par" : "/authorize"] : []))
            let proved = requests.filter { $0.header("dpop") != nil }.map(\.path)
            let wanted = (isFAPI ? ["/par"] : []) + ["/token", "/userinfo"]
            #expect(proved == (binding == .dpop ? wanted : []))
            #expect(fixture.provider.violations().isEmpty)
        }
    }

    @Test func `a nonce is asked for once, is kept for later logins, and a stale one is replaced`() async throws {
        try await SignInFixture.run(Self.options(.dpop, .privateKeyJWT)) { fixture in
            fixture.provider.demandDPoPNonce("first")
            try await fixture.signInAndVerify(fixture.browser())
            #expect(
                fixture.provider.steps == [
                    .discovery, .pushedAuthorization, .pushedAuthorization, .authorization, .token, .keys, .userInfo,
                ])
            fixture.provider.resetRecordedRequests()
            try await fixture.signInAndVerify(fixture.browser())
            #expect(fixture.provider.steps == [.pushedAuthorization, .authorization, .token, .userInfo])
            fixture.provider.resetRecordedRequests()
            let browser = fixture.browser()
            let page = try await fixture.goToProvider(browser, .publicApp, AppClient.Attempt())
            fixture.provider.demandDPoPNonce("second")
            // The code is sent twice, and used once: the first request was refused before it was processed.
            #expect(try AppResponse(try await fixture.comeBack(browser, page), app: .publicApp).error == nil)
            #expect(
                fixture.provider.steps == [.pushedAuthorization, .authorization, .token, .token, .userInfo])
            #expect(fixture.provider.violations().isEmpty)
        }
    }

    @Test(arguments: ProviderTransportKind.allCases)
    func `UserInfo may have a nonce of its own, and a scheme in other letters`(
        transport: ProviderTransportKind
    ) async throws {
        var options = Self.options(.dpop, .privateKeyJWT)
        options.misbehavior = .oddChallengeCase
        options.transportKind = transport
        try await SignInFixture.run(options) { fixture in
            fixture.provider.demandDPoPNonce("first")
            try await fixture.signInAndVerify(fixture.browser())
            #expect(fixture.provider.steps.suffix(2) == [.userInfo, .userInfo])
            #expect(fixture.provider.violations().isEmpty)
        }
    }

    @Test func `a token type in other letters is taken, and a bearer token in answer to a proof is not`() async throws {
        var options = Self.options(.dpop, .clientSecretBasic, isPushed: false)
        options.misbehavior = .oddTokenTypeCase
        _ = try await SignInFixture.run(options) { try await $0.signInAndVerify($0.browser()) }
        options.misbehavior = .bearerDespiteProof
        #expect(try await Self.refusal(options).error != nil)
    }

    @Test(arguments: [OpenIDProvider.Client.TokenBinding.certificate, .dpop])
    func `the provider refuses a broker that does not bind its tokens`(
        binding: OpenIDProvider.Client.TokenBinding
    ) async throws {
        var options = Self.options(binding, .privateKeyJWT)
        options.bindsTokens = false
        let (error, violations) = try await Self.refusal(options)
        #expect(error != nil)
        let wanted = binding == .dpop ? "there is no proof" : "the client came without the certificate"
        #expect(violations.contains { $0.contains(wanted) }, "\(violations)")
    }
}
