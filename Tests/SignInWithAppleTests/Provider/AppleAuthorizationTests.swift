// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import Testing
import TestingSupport

@Suite struct AppleAuthorizationTests {
    @Test(
        .attack(.appleScopesInQuery),
        arguments: [
            (["openid"], false), (["openid", "name"], true), (["openid", "email"], true), (["name", "email"], true),
            ([], false), (["openid", "names", "e-mail"], false),
        ] as [([String], Bool)])
    func `name and email are given by form_post alone`(scopes: [String], isFormPost: Bool) {
        #expect(AppleAuthorization.requiresFormPost(scopes: scopes) == isFormPost)
        let mode = AppleAuthorization.responseMode(scopes: scopes, responseType: .code)
        #expect(mode == (isFormPost ? .formPost : .query))
        #expect(AppleAuthorization.responseMode(scopes: scopes, responseType: .codeIDToken) == .formPost)
        // What is chosen is never what is refused.
        #expect(AppleAuthorization.error(scopes: scopes, responseType: .code, responseMode: mode) == nil)
        let query = AppleAuthorization.error(scopes: scopes, responseType: .code, responseMode: .query)
        #expect(query?.member as AnyKeyPath? == (isFormPost ? \ProviderConfiguration.responseMode : nil))
        let fragment = AppleAuthorization.error(scopes: scopes, responseType: .code, responseMode: .fragment)
        #expect(fragment?.member as AnyKeyPath? == (isFormPost ? \ProviderConfiguration.responseMode : nil))
    }

    @Test(.attack(.appleScopesInQuery)) func `an ID token alone, or one in a query, is refused`() {
        let idToken = AppleAuthorization.error(
            scopes: ["openid"], responseType: .idToken, responseMode: .formPost)
        #expect(idToken?.member as AnyKeyPath? == \ProviderConfiguration.responseType)
        let query = AppleAuthorization.error(
            scopes: ["openid"], responseType: .codeIDToken, responseMode: .query)
        #expect(query?.member as AnyKeyPath? == \ProviderConfiguration.responseMode)
    }

    @Test func `the configuration of Apple`() throws {
        let source = AppleClientSecret(try Apple.key())
        let configuration = ProviderConfiguration.apple(
            clientID: Apple.servicesID, redirectURI: Apple.redirectURI, clientSecret: source)
        #expect(configuration.issuer == "https://appleid.apple.com")
        #expect(configuration.scopes == ["openid", "name", "email"])
        #expect(configuration.responseType == .codeIDToken)
        #expect(configuration.responseMode == .formPost)
        #expect(configuration.clientAuthentication == .clientSecretPost)
        #expect(configuration.clientSecret == nil)
        #expect(configuration.profile == .apple)
        #expect(configuration.profile != .openIDConnect)
        #expect(!configuration.insecureLoopbackIssuer)
    }

    @Test(.attack(.missingAppleNonce)) func `Apple's list of checks is the standard's but for the nonce`() {
        let (apple, standard) = (IDTokenPolicy.apple.checks, IDTokenPolicy.standard.checks)
        #expect(apple.map { $0 == .appleNonce ? .nonce : $0 } == standard)
        #expect(apple.filter { $0 == .appleNonce }.count == 1)
        #expect(!apple.contains(.nonce))
    }
}
