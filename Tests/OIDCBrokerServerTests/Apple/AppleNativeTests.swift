// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import OIDCBroker
import OIDCBrokerTesting
import SignInWithAppleTesting
import Testing
import TestingSupport

/// Native credentials, presented to the broker over TLS.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AppleNativeTests {
    /// 43 characters, as an app makes them of 32 random bytes.
    private static let rawNonce = "Zm9yLXRlc3RzLW9ubHktMzItYnl0ZXMtb2Ytbm9uY2U"

    /// The form of the credential endpoint.
    private static func form(
        _ credential: MockApple.NativeCredential, rawNonce: String? = AppleNativeTests.rawNonce
    ) -> [(String, String)] {
        [("id_token", credential.idToken), ("authorization_code", credential.authorizationCode)]
            + (rawNonce.map { [("raw_nonce", $0)] } ?? []) + (credential.user.map { [("user", $0)] } ?? [])
    }

    private static func credential(
        _ fixture: AppleFixture, bundleID: String = AppleFixture.bundleID,
        person: MockApple.Person = AppleFixture.ada
    ) throws -> MockApple.NativeCredential {
        try fixture.apple.nativeCredential(bundleID: bundleID, rawNonce: rawNonce, person: person)
    }

    @Test(.attack(.appleAudienceSwap, .foreignAppleRevocation))
    func `a native sign-in: the code goes with the bundle id and without a redirect URI`() async throws {
        try await AppleFixture.run { fixture in
            let credential = try Self.credential(fixture, person: AppleFixture.grace)
            let response = try await fixture.post("credential", Self.form(credential), as: .publicApp)
            let signedIn = try await fixture.verified(response, .publicApp)
            #expect(signedIn.token.email?.hasSuffix("@privaterelay.appleid.com") == true)
            #expect(signedIn.claims["is_private_email"] == true)
            #expect(signedIn.claims["real_user_status"]?.integerValue == 2)
            #expect(signedIn.user?["name"] == "Grace Example")
            #expect(signedIn.claims["nonce"] == nil)
            let exchange = try #require(fixture.asked("/auth/token").first)
            #expect(exchange.parameter("client_id") == AppleFixture.bundleID)
            #expect(exchange.parameter("redirect_uri") == nil)
            #expect(exchange.parameter("code_verifier") == nil)
            #expect(fixture.apple.counts().codeExchanges == 1)
            #expect(fixture.apple.clientSecretRefusals() == [])

            // The same user by the browser is the same subject, and has no name left to give.
            let again = try Self.credential(fixture, person: AppleFixture.grace)
            #expect(again.user == nil)
            let second = try await fixture.verified(
                try await fixture.post("credential", Self.form(again), as: .publicApp), .publicApp)
            #expect(second.token.subject == signedIn.token.subject)
            #expect(second.user == nil)
            #expect(second.claims["real_user_status"] == nil)
        }
    }

    @Test func `a credential is good once, however many bring it at a time`() async throws {
        try await AppleFixture.run { fixture in
            let form = Self.form(try Self.credential(fixture))
            let responses = try await withThrowingTaskGroup(of: AppClient.TokenResponseMembers.self) { group in
                for _ in 0..<10 {
                    group.addTask { try await fixture.post("credential", form, as: .publicApp) }
                }
                return try await group.reduce(into: [AppClient.TokenResponseMembers]()) { $0.append($1) }
            }
            #expect(responses.count { $0.status == 200 } == 1)
            #expect(responses.count { $0.status == 400 && $0["error"] == "invalid_grant" } == 9)
            #expect(fixture.apple.counts().codeExchanges == 1)
        }
    }

    @Test(arguments: [nil, "another-nonce"])
    func `a raw nonce that is missing or another is refused`(rawNonce: String?) async throws {
        try await AppleFixture.run { fixture in
            let credential = try Self.credential(fixture)
            let refused = try await fixture.post(
                "credential", Self.form(credential, rawNonce: rawNonce), as: .publicApp)
            #expect(refused.status == 400)
            #expect(refused["error"] == "missing_or_invalid_nonce")
            #expect(fixture.asked("/auth/token").isEmpty)
            // Nothing was used up.
            let taken = try await fixture.post("credential", Self.form(credential), as: .publicApp)
            #expect(taken.status == 200)
        }
    }

    @Test(.attack(.appleAudienceSwap))
    func `a token for the Services ID, or for another app's bundle id, is never taken here`() async throws {
        try await AppleFixture.run { fixture in
            let page = try await fixture.goToApple(fixture.browser(), .publicApp, AppClient.Attempt())
            let web = try #require(try PageForm(page).hidden.first { $0.0 == "id_token" }).1
            let other = try Self.credential(fixture, bundleID: AppleFixture.otherBundleID).idToken
            for token in [web, other] {
                let response = try await fixture.post(
                    "credential", [("id_token", token), ("raw_nonce", Self.rawNonce)], as: .publicApp)
                #expect(response.status == 400)
                #expect(response["error"] == "invalid_grant")
            }
            #expect(fixture.asked("/auth/token").isEmpty)
            // The other app may bring its own.
            let own = try Self.credential(fixture, bundleID: AppleFixture.otherBundleID)
            let response = try await fixture.post("credential", Self.form(own), as: .basicApp)
            let signedIn = try await fixture.verified(response, .basicApp)
            #expect(signedIn.token.email == "ada@example.com")
        }
    }

    @Test func `a token older than five minutes is refused`() async throws {
        try await AppleFixture.run { fixture in
            let credential = try Self.credential(fixture)
            // Five minutes, and the clock skew of one.
            fixture.clock.advance(by: 361)
            let late = try await fixture.post(
                "credential", [("id_token", credential.idToken), ("raw_nonce", Self.rawNonce)], as: .publicApp)
            #expect(late.status == 400)
            #expect(late["error"] == "invalid_grant")
        }
    }
}
