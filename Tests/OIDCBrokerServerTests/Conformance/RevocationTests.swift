// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// `RelyingParty.revoke` (RFC 7009) against a provider that forgets what is revoked.
@Suite(.timeLimit(.minutes(10))) struct RevocationTests {
    @Test func `a revoked access token is invalid, and revoking it again has no effect`() async throws {
        try await RelyingPartySession.run(SignInFixture.Options()) { session in
            let signIn = try await session.signIn()
            let token = try #require(signIn.accessToken)
            try await session.relyingParty.revoke(token, using: RunningServer.eventLoops)
            try await session.relyingParty.revoke(token, using: RunningServer.eventLoops)
            let error = await #expect(throws: RelyingPartyError.self) {
                try await session.relyingParty.userInfo(
                    accessToken: token, subject: signIn.subject, using: RunningServer.eventLoops)
            }
            #expect(error?.step == .userInfo)
            #expect(error?.isTemporary == false)
        } afterwards: { _, provider in
            #expect(provider.recordedRequests().map(\.path).suffix(3) == ["/revoke", "/revoke", "/userinfo"])
            // The only violation is the use of the revoked token.
            #expect(provider.violations() == ["GET /userinfo: the access token is not in force"])
        }
    }

    @Test func `a revoked refresh token is not exchanged`() async throws {
        try await RelyingPartySession.run(SignInFixture.Options()) { session in
            let signIn = try await session.signIn()
            let token = try #require(signIn.refreshToken)
            try await session.relyingParty.revoke(token, using: RunningServer.eventLoops)
            let error = await #expect(throws: RelyingPartyError.self) {
                try await session.relyingParty.refresh(
                    token, issuer: signIn.issuer, subject: signIn.subject, using: RunningServer.eventLoops)
            }
            #expect(error?.providerError?.code == "invalid_grant")
        } afterwards: { _, provider in
            #expect(provider.recordedRequests().map(\.path).suffix(2) == ["/revoke", "/token"])
        }
    }

    @Test func `a revocation endpoint that is down has revoked nothing`() async throws {
        var options = SignInFixture.Options()
        options.misbehavior = .revocationUnavailable
        try await RelyingPartySession.run(options) { session in
            let signIn = try await session.signIn()
            let token = try #require(signIn.accessToken)
            let error = await #expect(throws: RelyingPartyError.self) {
                try await session.relyingParty.revoke(token, using: RunningServer.eventLoops)
            }
            #expect(error?.isTemporary == true)
            #expect(error?.step == .revocation)
        } afterwards: { _, provider in
            #expect(provider.recordedRequests().count { $0.path == "/revoke" } == 1)
            #expect(provider.violations() == [])
        }
    }
}
