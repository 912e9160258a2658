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

/// The credentials that an app on a user's device presents.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct NativeCredentialTests {
    @Test(.attack(.appleAudienceSwap, .appleRealUserStatus))
    func `a bundle id's token is taken, and its code is exchanged with the bundle id`() async throws {
        try await AppleSession.run { session in
            let credential = try session.credential()
            let verified = try await session.verify(credential)
            #expect(verified.audience == Apple.bundleID)
            #expect(verified.rawNonce == "raw-nonce")
            #expect(verified.refreshToken == nil)
            #expect(AppleClaims(verified.claims).realUserStatus == .likelyReal)
            #expect(session.paths == ["/.well-known/openid-configuration", "/auth/keys"])
            let signIn = try await session.relyingParty.completeNative(
                verified, code: credential.authorizationCode, in: RequestScope(on: AppleSession.loop)
            ).get()
            #expect(signIn.subject == verified.subject)
            #expect(signIn.refreshToken != nil)
            #expect(signIn.rawNonce == "raw-nonce")
            let exchange = try #require(session.requests(to: "/auth/token").first)
            #expect(exchange.parameter("client_id") == Apple.bundleID)
            #expect(exchange.parameter("redirect_uri") == nil)
            #expect(exchange.parameter("code_verifier") == nil)
            let secret = try parts(of: try #require(exchange.parameter("client_secret")))
            #expect(secret.claims["sub"] == .string(Apple.bundleID))
            // Only the first time.
            let second = try await session.verify(try session.credential())
            #expect(AppleClaims(second.claims).realUserStatus == nil)
        }
    }

    @Test(
        .attack(.appleAudienceSwap),
        arguments: [
            [Apple.bundleID, Apple.otherBundleID], [Apple.otherBundleID], [], [Apple.servicesID], ["com.example.app2"],
            ["com.example.ap"], ["COM.EXAMPLE.APP"],
        ])
    func `the audience is one of the app's own`(audiences: [String]) async throws {
        try await AppleSession.run { session in
            let credential = try session.credential()
            guard !audiences.contains(Apple.bundleID) else {
                let verified = try await session.verify(credential, audiences: audiences)
                #expect(verified.audience == Apple.bundleID)
                return
            }
            let error = await #expect(throws: RelyingPartyError.self) {
                try await session.verify(credential, audiences: audiences)
            }
            #expect(error?.finding?.check == "audience")
        }
    }

    @Test(.attack(.appleAudienceSwap, .tokenOfAnotherClient))
    func `a token for the Services ID is not a native credential, even if it is listed`() async throws {
        try await AppleSession.run { session in
            let web = try await session.signIn().signIn
            let audiences = [Apple.servicesID, Apple.bundleID]
            let error = await #expect(throws: RelyingPartyError.self) {
                _ = try await session.relyingParty.verifyNative(
                    idToken: web.idToken, audiences: audiences, nonce: NoncePair(raw: web.rawNonce).hashed,
                    in: RequestScope(on: AppleSession.loop)
                ).get()
            }
            #expect(error?.finding?.check == "audience")
        }
    }

    @Test(.attack(.appleAudienceSwap))
    func `a provider with native audiences only verifies, and says why it does not exchange`() async throws {
        try await AppleSession.run(AppleSetting(hasKey: false, clientID: "")) { session in
            let credential = try session.credential()
            let verified = try await session.verify(credential)
            #expect(verified.audience == Apple.bundleID)
            let error = await #expect(throws: RelyingPartyError.self) {
                _ = try await session.relyingParty.completeNative(
                    verified, code: credential.authorizationCode, in: RequestScope(on: AppleSession.loop)
                ).get()
            }
            #expect(error?.step == .token)
            #expect("\(String(describing: error))".contains("team id, key id and private key"))
            let revocation = await #expect(throws: RelyingPartyError.self) {
                try await session.relyingParty.revokeAppleToken(Secret("token"), using: AppleSession.group)
            }
            #expect(revocation?.step == .revocation)
            #expect("\(String(describing: revocation))".contains("no client id"))
            #expect(session.requests(to: "/auth/token").isEmpty)
            #expect(session.requests(to: "/auth/revoke").isEmpty)
        }
    }

    /// What the token has, what the app says, whether the app may do without, and whether that is accepted.
    struct NonceRow: Sendable {
        let inToken: String?
        let given: String?
        let isRequired: Bool
        let misbehavior: MockApple.Misbehavior
        let isAccepted: Bool

        init(_ inToken: String?, _ given: String?, isRequired: Bool, isAccepted: Bool) {
            self.init(inToken, given, isRequired: isRequired, .none, isAccepted: isAccepted)
        }

        init(
            _ inToken: String?, _ given: String?, isRequired: Bool, _ misbehavior: MockApple.Misbehavior,
            isAccepted: Bool
        ) {
            self.inToken = inToken
            self.given = given
            self.isRequired = isRequired
            self.misbehavior = misbehavior
            self.isAccepted = isAccepted
        }
    }

    static let nonceRows = [
        NonceRow("raw", "raw", isRequired: true, isAccepted: true),
        NonceRow("raw", "raw", isRequired: false, isAccepted: true),
        NonceRow("raw", "other", isRequired: true, isAccepted: false),
        NonceRow("raw", "", isRequired: true, isAccepted: false),
        NonceRow("raw", nil, isRequired: true, isAccepted: false),
        // One that the app does not know is not compared, and one that it knows must be there.
        NonceRow("raw", nil, isRequired: false, isAccepted: true),
        NonceRow("raw", "other", isRequired: false, isAccepted: false),
        NonceRow(nil, "raw", isRequired: false, isAccepted: false),
        NonceRow(nil, "raw", isRequired: true, isAccepted: false),
        NonceRow(nil, nil, isRequired: true, isAccepted: false),
        NonceRow(nil, nil, isRequired: false, isAccepted: true),
        // That there can be none is an excuse only where the app may do without.
        NonceRow("raw", "raw", isRequired: true, .nonceUnsupported, isAccepted: false),
        NonceRow("raw", "raw", isRequired: false, .nonceUnsupported, isAccepted: true),
        NonceRow("raw", "raw", isRequired: false, .missingNonce, isAccepted: false),
        NonceRow("raw", "raw", isRequired: true, .missingNonce, isAccepted: false),
        NonceRow("raw", nil, isRequired: true, .nonceUnsupported, isAccepted: false),
        // The token that holds the raw nonce itself holds what a thief would present.
        NonceRow("raw", NoncePair(raw: "raw").hashed, isRequired: true, isAccepted: false),
    ]

    @Test(.attack(.missingAppleNonce, .replayedNonce), arguments: nonceRows)
    func `the nonce of a native credential`(row: NonceRow) async throws {
        try await AppleSession.run(AppleSetting(misbehavior: row.misbehavior)) { session in
            let made = try session.credential(rawNonce: row.inToken)
            let verify = {
                try await session.relyingParty.verifyNative(
                    idToken: Secret(made.idToken), audiences: [Apple.bundleID],
                    nonce: row.given.map { NoncePair(raw: $0).hashed }, nonceIsRequired: row.isRequired,
                    code: made.authorizationCode, in: RequestScope(on: AppleSession.loop)
                ).get()
            }
            guard !row.isAccepted else {
                let verified = try await verify()
                #expect(verified.audience == Apple.bundleID)
                return
            }
            let error = await #expect(throws: RelyingPartyError.self) { _ = try await verify() }
            #expect(error?.finding?.check == "nonce")
        }
    }

    @Test(arguments: [(300, true), (360, true), (361, false), (3600, false)] as [(Int64, Bool)])
    func `a credential is five minutes old at most, and the clock skew`(age: Int64, isAccepted: Bool) async throws {
        try await AppleSession.run { session in
            let credential = try session.credential()
            session.clock.advance(by: age)
            guard !isAccepted else {
                let verified = try await session.verify(credential)
                #expect(verified.audience == Apple.bundleID)
                return
            }
            let error = await #expect(throws: RelyingPartyError.self) { try await session.verify(credential) }
            #expect(error?.finding?.check == "issued at")
        }
    }

    @Test(
        arguments: [
            (.wrongSignature, nil), (.wrongIssuer, "issuer"), (.wrongAudience, "audience"), (.wrongNonce, "nonce"),
            (.wrongCodeHash, "code hash"),
        ] as [(MockApple.Misbehavior, String?)])
    func `a lying token is refused`(misbehavior: MockApple.Misbehavior, check: String?) async throws {
        try await AppleSession.run(AppleSetting(misbehavior: misbehavior)) { session in
            let credential = try session.credential()
            let error = await #expect(throws: RelyingPartyError.self) { try await session.verify(credential) }
            #expect(error?.step == .idToken)
            #expect(error?.finding?.check == check)
            #expect(error?.isTemporary == false)
        }
    }

    @Test func `another user's code does not match a credential`() async throws {
        try await AppleSession.run { session in
            let mine = try session.credential()
            let others = try session.apple.nativeCredential(
                bundleID: Apple.bundleID, rawNonce: "raw-nonce", person: MockApple.Person.mock[1])
            let swapped = await #expect(throws: RelyingPartyError.self) {
                _ = try await session.relyingParty.verifyNative(
                    idToken: Secret(mine.idToken), audiences: [Apple.bundleID],
                    nonce: NoncePair(raw: "raw-nonce").hashed, code: others.authorizationCode,
                    in: RequestScope(on: AppleSession.loop)
                ).get()
            }
            #expect(swapped?.finding?.check == "code hash")
            // And where the app hides the code until the token has passed.
            let verified = try await session.relyingParty.verifyNative(
                idToken: Secret(mine.idToken), audiences: [Apple.bundleID],
                nonce: NoncePair(raw: "raw-nonce").hashed, in: RequestScope(on: AppleSession.loop)
            ).get()
            let exchanged = await #expect(throws: RelyingPartyError.self) {
                _ = try await session.relyingParty.completeNative(
                    verified, code: others.authorizationCode, in: RequestScope(on: AppleSession.loop)
                ).get()
            }
            #expect(exchanged?.finding?.check == "subject continuity")
        }
    }

    @Test func `a code of another app is the provider's to refuse, and is spent`() async throws {
        try await AppleSession.run { session in
            let other = try session.credential(bundleID: Apple.otherBundleID)
            for expected in ["client_id mismatch.", "The code has expired or has been revoked."] {
                let error = await #expect(throws: RelyingPartyError.self) {
                    _ = try await session.relyingParty.exchangeNative(
                        code: other.authorizationCode, clientID: Apple.bundleID, in: RequestScope(on: AppleSession.loop)
                    ).get()
                }
                #expect(error?.providerError?.code == "invalid_grant")
                #expect(error?.providerError?.errorDescription == expected)
            }
        }
    }

    @Test func `a text that is not a token is refused, and no keys are requested`() async throws {
        try await AppleSession.run { session in
            for text in ["", "a.b.c", "not a token", String(repeating: "x", count: 70_000)] {
                let error = await #expect(throws: RelyingPartyError.self) {
                    _ = try await session.relyingParty.verifyNative(
                        idToken: Secret(text), audiences: [Apple.bundleID], nonce: "nonce",
                        in: RequestScope(on: AppleSession.loop)
                    ).get()
                }
                #expect(error?.step == .idToken)
            }
            #expect(session.paths == ["/.well-known/openid-configuration"])
        }
    }

    @Test func `rotated keys are fetched again`() async throws {
        try await AppleSession.run { session in
            _ = try await session.verify(try session.credential())
            try session.apple.rotateKeys()
            let verified = try await session.verify(try session.credential())
            #expect(verified.audience == Apple.bundleID)
            #expect(session.requests(to: "/auth/keys").count == 2)
        }
    }

    @Test func `a key set that is down is a temporary error`() async throws {
        try await AppleSession.run(AppleSetting(misbehavior: .keySetUnavailable)) { session in
            let credential = try session.credential()
            let error = await #expect(throws: RelyingPartyError.self) { try await session.verify(credential) }
            #expect(error?.isTemporary == true)
        }
    }
}
