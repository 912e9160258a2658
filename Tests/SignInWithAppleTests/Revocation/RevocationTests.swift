// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

@Suite(.timeLimit(.minutes(10))) struct RevocationTests {
    @Test(.attack(.foreignAppleRevocation))
    func `a token of the web flow is revoked with a secret of its own making`() async throws {
        try await AppleSession.run { session in
            let token = try #require(try await session.signIn().signIn.refreshToken)
            session.clock.advance(by: 86_400)
            try await session.relyingParty.revokeAppleToken(token, using: AppleSession.group)
            let request = try #require(session.requests(to: "/auth/revoke").first)
            #expect(request.parameter("token") == token.exposed)
            #expect(request.parameter("token_type_hint") == "refresh_token")
            #expect(request.parameter("client_id") == Apple.servicesID)
            #expect(request.header("authorization") == nil)
            let secret = try parts(of: try #require(request.parameter("client_secret")))
            #expect(secret.claims["iat"] == .number(JSONNumber(session.clock.now() - 5)))
            #expect(session.apple.counts().revocations == 1)
            // Idempotent: what is gone is gone.
            try await session.relyingParty.revokeAppleToken(token, using: AppleSession.group)
            try await session.relyingParty.revokeAppleToken(Secret("never was one"), using: AppleSession.group)
            #expect(session.apple.counts().revocations == 1)
            #expect(session.requests(to: "/auth/revoke").count == 3)
        }
    }

    @Test(.attack(.foreignAppleRevocation)) func `a native token is revoked with the bundle id`() async throws {
        try await AppleSession.run { session in
            let credential = try session.credential()
            let tokens = try await session.relyingParty.exchangeNative(
                code: credential.authorizationCode, clientID: Apple.bundleID, in: RequestScope(on: AppleSession.loop)
            ).get()
            let refreshToken = Secret(try #require(tokens.refreshToken))
            let error = await #expect(throws: RelyingPartyError.self) {
                try await session.relyingParty.revokeAppleToken(refreshToken, using: AppleSession.group)
            }
            #expect(error?.providerError?.code == "invalid_grant")
            try await session.relyingParty.revokeAppleToken(
                refreshToken, bundleID: Apple.bundleID, using: AppleSession.group)
            #expect(session.apple.counts().revocations == 1)
            let accessToken = Secret(try #require(tokens.accessToken))
            try await session.relyingParty.revokeAppleToken(
                accessToken, hint: .accessToken, bundleID: Apple.bundleID, using: AppleSession.group)
            #expect(session.requests(to: "/auth/revoke").last?.parameter("token_type_hint") == "access_token")
        }
    }

    @Test(.attack(.foreignAppleRevocation))
    func `a code is exchanged first, without redirect URI, and its refresh token is revoked`() async throws {
        try await AppleSession.run { session in
            let credential = try session.credential()
            try await session.relyingParty.revokeAppleAuthorization(
                code: Secret(credential.authorizationCode), bundleID: Apple.bundleID, using: AppleSession.group)
            let exchange = try #require(session.requests(to: "/auth/token").first)
            #expect(exchange.parameter("redirect_uri") == nil)
            #expect(exchange.parameter("client_id") == Apple.bundleID)
            #expect(session.requests(to: "/auth/revoke").first?.parameter("token_type_hint") == "refresh_token")
            #expect(session.apple.counts().revocations == 1)
            let error = await #expect(throws: RelyingPartyError.self) {
                try await session.relyingParty.revokeAppleAuthorization(
                    code: Secret(credential.authorizationCode), bundleID: Apple.bundleID, using: AppleSession.group)
            }
            #expect(error?.providerError?.code == "invalid_grant")
            #expect(session.requests(to: "/auth/revoke").count == 1)
        }
    }

    @Test(.attack(.foreignAppleRevocation))
    func `an endpoint that is down is a temporary error, and is asked once`() async throws {
        try await AppleSession.run(AppleSetting(misbehavior: .revocationUnavailable)) { session in
            let error = await #expect(throws: RelyingPartyError.self) {
                try await session.relyingParty.revokeAppleToken(Secret("token"), using: AppleSession.group)
            }
            #expect(error?.step == .revocation)
            #expect(error?.isTemporary == true)
            #expect(session.requests(to: "/auth/revoke").count == 1)
        }
    }

    @Test(.attack(.foreignAppleRevocation))
    func `the general call revokes with the source's secret as well`() async throws {
        try await AppleSession.run { session in
            let token = try #require(try await session.signIn().signIn.refreshToken)
            try await session.relyingParty.revoke(token, hint: .refreshToken, using: AppleSession.group)
            #expect(session.apple.counts().revocations == 1)
        }
    }

    @Test(.attack(.secretsInLogs)) func `no error and no description holds the token or the secret`() async throws {
        try await AppleSession.run(AppleSetting(misbehavior: .refusesClientSecrets)) { session in
            let error = await #expect(throws: RelyingPartyError.self) {
                try await session.relyingParty.revokeAppleToken(Secret("the-token-itself"), using: AppleSession.group)
            }
            let secret = try #require(session.requests(to: "/auth/revoke").first?.parameter("client_secret"))
            var text = "\(String(describing: error)) \(String(reflecting: error))"
            if let error { dump(error, to: &text) }
            #expect(text.contains("invalid_client"))
            #expect(!text.contains("the-token-itself"))
            #expect(!text.contains(secret))
        }
    }
}
