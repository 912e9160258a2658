// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// One sign-in with each misbehavior of the provider: where it ends, and that it ends there. Without sockets: with the
/// whole broker in front, the matrix runs on sockets in the tests of the server.
@Suite(.timeLimit(.minutes(10))) struct MisbehaviorTests {
    private static let way = ["/.well-known/openid-configuration", "/authorize", "/token", "/jwks", "/userinfo"]

    @Test(arguments: MisbehaviorRejection.all)
    func `is refused at its step, and nothing is sent afterwards`(rejection: MisbehaviorRejection) throws {
        let setting = SignInSetting(scopes: ["openid", "email"], userInfo: true)
        let session = try InMemorySession(setting, rejection.misbehavior)
        let error = #expect(throws: RelyingPartyError.self) { try session.signIn() }
        #expect(error?.step == rejection.step)
        #expect(error?.finding?.check == rejection.check)
        #expect(error?.isTemporary == rejection.isTemporary)
        let end = try #require(Self.way.firstIndex(of: rejection.last))
        #expect(session.paths == Array(Self.way[...end]))
    }

    @Test(arguments: MisbehaviorRejection.signedResponse)
    func `of a signed response is refused before its code is sent`(rejection: MisbehaviorRejection) throws {
        let session = try InMemorySession(SignInSetting(responseMode: .jwt), rejection.misbehavior)
        let error = #expect(throws: RelyingPartyError.self) { try session.signIn() }
        #expect(error?.step == rejection.step && error?.isTemporary == false)
        #expect(
            session.paths == ["/.well-known/openid-configuration", "/authorize"]
                + (rejection.last == "/jwks" ? ["/jwks"] : []))
    }

    @Test(arguments: MisbehaviorRejection.findings)
    func `would be accepted but for that check`(rejection: MisbehaviorRejection) throws {
        let check = try #require(rejection.check)
        let session = try InMemorySession(SignInSetting(policy: .standard.without(check)), rejection.misbehavior)
        let value = try session.signIn().issuer
        #expect(value == session.provider.issuer)
    }

    @Test(
        .attack(.codeSentTwice),
        arguments: [
            Misbehavior.tokenEndpointUnavailable, .errorFromTokenEndpoint, .redirectFromTokenEndpoint,
            .contentEncodingGzip,
            .oversizedTokenResponse, .missingIDToken,
        ])
    func `the code is sent once`(misbehavior: Misbehavior) throws {
        let session = try InMemorySession(SignInSetting(), misbehavior)
        #expect(throws: RelyingPartyError.self) { try session.signIn() }
        #expect(session.requests(to: "/token").count == 1)
        #expect(session.requests(to: "/token/elsewhere").isEmpty)
    }

    @Test func `the OAuth error is handed on`() throws {
        let session = try InMemorySession(SignInSetting(), .errorFromTokenEndpoint)
        let error = #expect(throws: RelyingPartyError.self) { try session.signIn() }
        #expect(error?.providerError?.code == "invalid_grant")
    }

    @Test(.attack(.secretsInLogs)) func `no error holds a code, a token or a secret`() throws {
        // A response in another response mode does not come back to this browser.
        for misbehavior in Misbehavior.allCases where misbehavior != .otherResponseMode {
            let session = try InMemorySession(
                SignInSetting(clientSecret: "s3cret-value", userInfo: true), misbehavior)
            do {
                try session.signIn()
            } catch let error as RelyingPartyError {
                var secrets = ["s3cret-value"]
                for request in session.provider.recordedRequests() {
                    secrets += ["code", "code_verifier", "state", "nonce", "code_challenge", "client_secret"]
                        .compactMap { request.parameter($0) }
                    secrets += request.header("authorization").map { [$0] } ?? []
                }
                let texts = ["\(error)", String(reflecting: error)]
                for text in texts {
                    for secret in secrets { #expect(!text.contains(secret)) }
                }
            }
        }
    }

    @Test(arguments: MisbehaviorRejection.odd)
    func `odd but valid behavior is accepted`(misbehavior: Misbehavior) throws {
        let setting = SignInSetting(scopes: ["openid", "email"], userInfo: true)
        let signIn = try InMemorySession(setting, misbehavior).signIn()
        #expect(signIn.subject == "person-ada")
        #expect(signIn.claims.string("email") == "ada@example.com")
    }

    @Test func `every misbehavior has its place here, once`() {
        let placed =
            MisbehaviorRejection.all.map(\.misbehavior) + MisbehaviorRejection.odd + MisbehaviorRejection.elsewhere
        #expect(Set(placed) == Set(Misbehavior.allCases))
        #expect(placed.count == Misbehavior.allCases.count)
    }
}
