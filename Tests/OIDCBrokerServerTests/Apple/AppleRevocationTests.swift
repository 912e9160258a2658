// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

/// An app revokes a user's grant at Apple.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppleRevocationTests {
    @Test(.attack(.foreignAppleRevocation))
    func `a confidential app revokes a refresh token, as often as it likes`() async throws {
        try await AppleFixture.run { fixture in
            let browser = fixture.browser()
            let signedIn = try await fixture.signIn(browser, .basicApp)
            let upstream = try #require(signedIn.response.json["upstream"]?.objectValue)
            let token = try #require(upstream["refresh_token"]?.text?.makeString())
            let form = [
                ("provider", "apple"), ("token", token), ("token_type_hint", "refresh_token"),
                ("audience", AppleFixture.servicesID),
            ]
            for _ in 0..<2 {
                let response = try await fixture.post("revoke", form, as: .basicApp)
                #expect(response.status == 200)
                #expect(response.json.count == 0)
                #expect(fixture.apple.counts().revocations == 1)
            }
            let request = try #require(fixture.asked("/auth/revoke").first)
            #expect(request.parameter("client_id") == AppleFixture.servicesID)
            #expect(request.parameter("token") == token)
            #expect(request.parameter("token_type_hint") == "refresh_token")
            // Consent is over at Apple: the next sign-in is a first one.
            let next = try await fixture.signIn(browser, .basicApp)
            #expect(next.user?["name"] == "Ada Example")
        }
    }

    @Test(.attack(.foreignAppleRevocation))
    func `a public app revokes by its user's authorization code, and sees no tokens`() async throws {
        try await AppleFixture.run { fixture in
            let nonce = "Zm9yLXRlc3RzLW9ubHktMzItYnl0ZXMtb2Ytbm9uY2U"
            let ada = try fixture.apple.nativeCredential(
                bundleID: AppleFixture.bundleID, rawNonce: nonce, person: AppleFixture.ada)
            // The code is kept for later.
            let signedIn = try await fixture.verified(
                try await fixture.post(
                    "credential", [("id_token", ada.idToken), ("raw_nonce", nonce)], as: .publicApp),
                .publicApp)
            let idToken = try #require(signedIn.response["id_token"])

            let grace = try fixture.apple.nativeCredential(
                bundleID: AppleFixture.bundleID, rawNonce: nonce, person: AppleFixture.grace)
            let others = try await fixture.post(
                "revoke", [("id_token", idToken), ("code", grace.authorizationCode)], as: .publicApp)
            #expect(others.status == 400)
            #expect(others["error"] == "invalid_grant")
            let unproven = try await fixture.post("revoke", [("code", ada.authorizationCode)], as: .publicApp)
            #expect(unproven.status == 401)
            #expect(fixture.apple.counts().revocations == 0)

            let form = [("id_token", idToken), ("code", ada.authorizationCode)]
            let response = try await fixture.post("revoke", form, as: .publicApp)
            #expect(response.status == 200)
            #expect(response.json.count == 0)
            #expect(fixture.apple.counts().revocations == 1)
            // What a used code gave is not known to be revoked.
            let again = try await fixture.post("revoke", form, as: .publicApp)
            #expect(again.status == 400)
            #expect(again["error"] == "invalid_grant")
            #expect(fixture.apple.counts().revocations == 1)
            let revocation = try #require(fixture.asked("/auth/revoke").first)
            #expect(revocation.parameter("client_id") == AppleFixture.bundleID)
        }
    }

    @Test func `Apple down: the app is told to come back, and can`() async throws {
        try await AppleFixture.run { fixture in
            let signedIn = try await fixture.signIn(fixture.browser(), .basicApp)
            let upstream = try #require(signedIn.response.json["upstream"]?.objectValue)
            let token = try #require(upstream["refresh_token"]?.text?.makeString())
            let form = [("provider", "apple"), ("token", token), ("audience", AppleFixture.servicesID)]
            fixture.apple.set(.revocationUnavailable)
            let down = try await fixture.post("revoke", form, as: .basicApp)
            #expect(down.status == 503)
            #expect(fixture.apple.counts().revocations == 0)
            fixture.apple.set(.none)
            fixture.clock.advance(by: 60)
            let up = try await fixture.post("revoke", form, as: .basicApp)
            #expect(up.status == 200)
            #expect(fixture.apple.counts().revocations == 1)
        }
    }

    @Test func `the Swift call revokes too`() async throws {
        try await AppleFixture.run { fixture in
            let signedIn = try await fixture.signIn(fixture.browser(), .basicApp)
            let upstream = try #require(signedIn.response.json["upstream"]?.objectValue)
            let token = Secret(try #require(upstream["refresh_token"]?.text?.makeString()))
            for _ in 0..<2 {
                try await fixture.broker.revoke(token, provider: "apple.com", using: RunningServer.eventLoops)
            }
            #expect(fixture.apple.counts().revocations == 1)
        }
    }
}
