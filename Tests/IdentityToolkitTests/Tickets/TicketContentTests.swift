// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing

@testable import IdentityToolkit

/// What a ticket stands for, and what of that a redemption still compares to the configuration.
struct TicketContentTests {
    private static let now: Int64 = 1_790_000_000

    private static func credential(expiresIn: Duration?, accessToken: String? = "access") -> PendingCredential {
        PendingCredential(
            VerifiedSignIn(
                issuer: "https://login.acme.example", subject: "ada",
                claims: Claims(["sub": "ada", "iat": .number(JSONNumber(now))]), idToken: Secret("a.b.c"),
                accessToken: accessToken.map { Secret($0) }, refreshToken: nil, expiresIn: expiresIn, rawNonce: "n"),
            providerID: "oidc.acme", isApple: false, name: nil, now: now)
    }

    @Test(
        arguments: [
            (.seconds(3600), 3600), (.seconds(0), 0), (.seconds(-1), 0), (.seconds(315_360_000), 315_360_000),
            (.seconds(315_360_001), 315_360_000), (.seconds(Int64.max), 315_360_000), (.seconds(Int64.min), 0),
        ] as [(Duration, Int64)])
    func `an access token is noted for ten years at most, whatever the provider says`(
        lifetime: Duration, noted: Int64
    ) {
        #expect(Self.credential(expiresIn: lifetime).accessTokenExpiry == Self.now + noted)
    }

    @Test func `without a lifetime, or without an access token, none is noted`() {
        #expect(Self.credential(expiresIn: nil).accessTokenExpiry == nil)
        #expect(Self.credential(expiresIn: .seconds(3600), accessToken: nil).accessTokenExpiry == nil)
    }

    @Test func `the name of an app in a record is bounded`() {
        func record(_ app: String) -> SignInTicketRecord {
            SignInTicketRecord(
                app: app, authType: .signInViaPopup, binding: SessionBinding(sessionID: "x"),
                credential: PendingCredentialFixture.bare)
        }
        let longest = String(repeating: "a", count: SignInTicket.longestApp)
        #expect(SignInTicketRecord(encoded: record(longest).encoded)?.app == longest)
        for app in [longest + "a", "a b", "\u{E9}", "a\0"] {
            #expect(SignInTicketRecord(encoded: record(app).encoded) == nil, "\(app)")
        }
    }

    @Test func `a provider that has another issuer since the login signs no user in`() async throws {
        let scene = try TicketScene()
        let answer = try await scene.redeem(try await scene.ticket(issuedBy: "oidc.bold"))
        #expect(TicketScene.code(answer) == "INVALID_IDP_RESPONSE")
        #expect(answer.members["pendingToken"] == nil)
    }
}
