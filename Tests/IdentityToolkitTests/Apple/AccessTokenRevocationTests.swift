// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit

/// The operation `revokeToken` with access tokens, which the SDK for JavaScript sends.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AccessTokenRevocationTests {
    private typealias Toolkit = AppleToolkit

    /// Signs in with an ID token that has the hash of an access token.
    private func signIn(_ toolkit: AppleToolkit) async throws -> (idToken: String, accessToken: String) {
        let (token, accessToken) = try await toolkit.exchange(toolkit.credential())
        let answer = try await toolkit.signIn(
            "&id_token=\(token)&providerId=apple.com&nonce=\(Toolkit.rawNonce)&access_token=\(accessToken)")
        #expect(answer.members.string("oauthAccessToken") == accessToken)
        let idToken = try #require(answer.members.string("idToken"), "\(answer.message ?? "")")
        return (idToken, accessToken)
    }

    @Test func `an access token that was handed out is revoked, and proves nothing`() async throws {
        try await Toolkit.run { toolkit in
            let (idToken, accessToken) = try await signIn(toolkit)
            let recorded = try #require(toolkit.store.contents.identities.first?.accessToken)
            #expect(recorded.hash == Hash.sha256(accessToken.utf8))
            #expect(recorded.expiry == toolkit.clock.now() + 3600)

            toolkit.clock.advance(by: 400)
            let revoked = try await toolkit.revoke(accessToken, type: "ACCESS_TOKEN", idToken: idToken)
            #expect(revoked.isEmptyObject, "\(revoked.message ?? "")")
            let request = try #require(toolkit.asked("/auth/revoke").first)
            #expect(request.parameter("token") == accessToken)
            #expect(request.parameter("token_type_hint") == "access_token")
            #expect(request.parameter("client_id") == Toolkit.bundleID)
            #expect(toolkit.apple.counts().revocations == 1)
            let identity = try #require(toolkit.store.contents.identities.first)
            #expect(identity.accessToken == nil && identity.revokedAt == toolkit.clock.now())
            let refused = try await toolkit.delete(idToken: idToken)
            #expect(refused.isError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN"))

            let again = try await toolkit.revoke(accessToken, type: "ACCESS_TOKEN", idToken: idToken)
            #expect(again.isEmptyObject)
            #expect(toolkit.asked("/auth/revoke").count == 1)
        }
    }

    @Test func `an access token that was not handed out to the user goes nowhere`() async throws {
        try await Toolkit.run { toolkit in
            let (idToken, _) = try await signIn(toolkit)
            let others = try await toolkit.exchange(toolkit.credential(Toolkit.grace)).accessToken
            let contents = toolkit.store.contents
            for token in [others, "made-up"] {
                let refused = try await toolkit.revoke(token, type: "ACCESS_TOKEN", idToken: idToken)
                #expect(refused.isError("INVALID_IDP_RESPONSE"))
            }
            #expect(toolkit.asked("/auth/revoke").isEmpty)
            #expect(toolkit.store.contents == contents)
        }
    }

    @Test func `an access token that has expired goes nowhere`() async throws {
        try await Toolkit.run { toolkit in
            let (idToken, accessToken) = try await signIn(toolkit)
            // By then the ID token of the session has expired too, and is taken for five minutes more.
            toolkit.clock.advance(by: 3600)
            let refused = try await toolkit.revoke(accessToken, type: "ACCESS_TOKEN", idToken: idToken)
            #expect(refused.isError("INVALID_IDP_RESPONSE"))
            #expect(toolkit.asked("/auth/revoke").isEmpty)
        }
    }

    @Test func `a sign-in without an access token keeps the record of the last one`() async throws {
        try await Toolkit.run { toolkit in
            let (_, accessToken) = try await signIn(toolkit)
            let idToken = try await toolkit.session(of: toolkit.credential())
            let revoked = try await toolkit.revoke(accessToken, type: "ACCESS_TOKEN", idToken: idToken)
            #expect(revoked.isEmptyObject, "\(revoked.message ?? "")")
        }
    }

    @Test func `of more than thirty revocations in a minute the next is refused`() async throws {
        try await Toolkit.run { toolkit in
            let (idToken, _) = try await signIn(toolkit)
            for _ in 0..<30 {
                let refused = try await toolkit.revoke("made-up", type: "ACCESS_TOKEN", idToken: idToken)
                #expect(refused.isError("INVALID_IDP_RESPONSE"))
            }
            let refused = try await toolkit.revoke("made-up", type: "ACCESS_TOKEN", idToken: idToken)
            #expect(refused.isError("TOO_MANY_ATTEMPTS_TRY_LATER"))
        }
    }
}
