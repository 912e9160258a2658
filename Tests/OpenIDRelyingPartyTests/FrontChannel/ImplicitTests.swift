// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// `id_token`: the token of the front channel is all there is (OpenID Connect Core 1.0 section 3.2).
@Suite struct ImplicitTests {
    private static let before = ["/.well-known/openid-configuration", "/jwks"]

    @Test func `a sign-in has the token's claims and no other token, and nothing is exchanged`() throws {
        let provider = try TestProvider(.rs256)
        let session = UnpluggedSession(provider, .idToken)
        let (url, pending) = try session.begin()
        let asked = try FormURLEncoding.parse(url.drop { $0 != "?" }.dropFirst().utf8)
        #expect(try asked.text("response_type") == "id_token")
        #expect(try asked.text("nonce") == pending.nonce.exposed)
        let signIn = try session.complete(try provider.answer(to: url), pending)
        #expect(signIn.issuer == TestProvider.fixedIssuer)
        #expect(signIn.subject == "person-ada")
        #expect(signIn.rawNonce == pending.nonce.exposed)
        #expect(signIn.accessToken == nil)
        #expect(signIn.refreshToken == nil)
        #expect(signIn.expiresIn == nil)
        #expect(provider.paths == Self.before)
    }

    @Test(arguments: FrontChannelClaims.always)
    func `a token that is wrong is refused`(claims: FrontChannelClaims) throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.changeClaims = { object, _ in claims.change(&object) } }
        let error = try UnpluggedSession(provider, .idToken).refusal()
        #expect(error?.finding?.check == claims.check)
        let policy = IDTokenPolicy.standard.without(claims.check)
        #expect(try UnpluggedSession(provider, .idToken, policy: policy).refusal() == nil)
        #expect(!provider.paths.contains("/token"))
    }

    @Test func `an access token and a code that were not requested are ignored`() throws {
        let provider = try TestProvider()
        let signIn = try UnpluggedSession(provider, .idToken).signIn { $0 + "&access_token=forged&code=forged" }
        #expect(signIn.accessToken == nil)
        #expect(!provider.paths.contains("/token"))
    }

    @Test func `a callback without a token is refused`() throws {
        let provider = try TestProvider()
        let error = try UnpluggedSession(provider, .idToken).refusal { response in
            FormURLEncoding.encode(
                try FormURLEncoding.parse(response.utf8).texts.filter { $0.name != "id_token" }.map {
                    ($0.name, $0.value)
                }
            ) + "&code=a-code"
        }
        #expect(error?.step == .authorization)
        #expect(provider.paths == ["/.well-known/openid-configuration"])
    }

    @Test func `unavailable UserInfo is an error that says so`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider) { configuration in
            configuration.responseType = .idToken
            configuration.responseMode = .formPost
            configuration.userInfo = true
        }
        #expect(try session.refusal()?.step == .userInfo)
        #expect(!provider.paths.contains("/userinfo"))
        #expect(
            session.party.configuration.validate().map { $0.member as AnyKeyPath } == [\ProviderConfiguration.userInfo])
    }
}
