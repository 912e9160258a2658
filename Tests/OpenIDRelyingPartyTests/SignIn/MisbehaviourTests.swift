// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// One sign-in with each misbehaviour of the provider: where it ends, and that it ends there.
@Suite(.timeLimit(.minutes(1))) struct MisbehaviourTests {
    struct Rejection: Sendable, CustomStringConvertible {
        let misbehaviour: Misbehaviour
        let step: RelyingPartyError.Step
        /// The last path that was asked of the provider.
        let last: String
        /// The check of the ID token that noticed.
        var check: String?
        var isTemporary = false

        var description: String { misbehaviour.rawValue }
    }

    private static let way = ["/.well-known/openid-configuration", "/authorize", "/token", "/jwks", "/userinfo"]

    static let rejections: [Rejection] =
        [
            Rejection(
                misbehaviour: .discoveryUnavailable, step: .discovery, last: "/.well-known/openid-configuration",
                isTemporary: true),
            Rejection(misbehaviour: .issuerMismatch, step: .discovery, last: "/.well-known/openid-configuration"),
            Rejection(misbehaviour: .keySetUnavailable, step: .keySet, last: "/jwks", isTemporary: true),
            Rejection(misbehaviour: .omitsIssuer, step: .authorization, last: "/authorize"),
            Rejection(misbehaviour: .wrongIssuerInAuthorizationResponse, step: .authorization, last: "/authorize"),
            Rejection(misbehaviour: .tokenEndpointUnavailable, step: .token, last: "/token", isTemporary: true),
            Rejection(misbehaviour: .errorFromTokenEndpoint, step: .token, last: "/token"),
            Rejection(misbehaviour: .redirectFromTokenEndpoint, step: .token, last: "/token"),
            Rejection(misbehaviour: .contentEncodingGzip, step: .token, last: "/token"),
            Rejection(misbehaviour: .oversizedTokenAnswer, step: .token, last: "/token"),
            Rejection(misbehaviour: .missingIDToken, step: .token, last: "/token"),
            Rejection(misbehaviour: .wrongSignature, step: .idToken, last: "/jwks"),
            Rejection(misbehaviour: .algorithmNone, step: .idToken, last: "/token"),
            Rejection(misbehaviour: .unknownKeyID, step: .idToken, last: "/jwks"),
            Rejection(misbehaviour: .userInfoWrongSubject, step: .userInfo, last: "/userinfo"),
        ] + findings

    static let findings: [Rejection] = [
        finding(.wrongIssuer, "issuer"), finding(.wrongAudience, "audience"), finding(.missingAudience, "audience"),
        finding(.multipleAudiencesNoAzp, "audience"), finding(.wrongAzp, "authorized party"),
        finding(.missingSubject, "subject"), finding(.missingIssuedAt, "issued at"), finding(.missingExpiry, "expiry"),
        finding(.expired, "expiry"), finding(.wrongNonce, "nonce"), finding(.missingNonce, "nonce"),
        finding(.wrongAtHash, "access token hash"),
    ]

    private static func finding(_ misbehaviour: Misbehaviour, _ check: String) -> Rejection {
        Rejection(misbehaviour: misbehaviour, step: .idToken, last: "/jwks", check: check)
    }

    @Test(arguments: MisbehaviourTests.rejections)
    func `is refused at its step, and nothing is sent afterwards`(rejection: Rejection) async throws {
        let setting = SignInSetting(scopes: ["openid", "email"], fetchesUserInfo: true)
        try await SignInSession.run(setting) { session in
            session.provider.set(rejection.misbehaviour)
            let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(error?.step == rejection.step)
            #expect(error?.finding?.check == rejection.check)
            #expect(error?.isTemporary == rejection.isTemporary)
            // Whatever was under way would have arrived, or never will.
            try await session.transport.shutdown()
            let end = try #require(Self.way.firstIndex(of: rejection.last))
            #expect(session.paths == Array(Self.way[...end]))
        }
    }

    @Test(arguments: MisbehaviourTests.findings)
    func `would be accepted but for that check`(rejection: Rejection) async throws {
        let check = try #require(rejection.check)
        try await SignInSession.run(SignInSetting(policy: .standard.without(check))) { session in
            session.provider.set(rejection.misbehaviour)
            do {
                let value = try await session.signIn().issuer
                #expect(value == session.provider.issuer)
            }
        }
    }

    @Test(arguments: [
        Misbehaviour.tokenEndpointUnavailable, .errorFromTokenEndpoint, .redirectFromTokenEndpoint,
        .contentEncodingGzip,
        .oversizedTokenAnswer, .missingIDToken,
    ])
    func `P3 the code is sent once`(misbehaviour: Misbehaviour) async throws {
        try await SignInSession.run { session in
            session.provider.set(misbehaviour)
            await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            try await session.transport.shutdown()
            #expect(session.requests(to: "/token").count == 1)
            #expect(session.requests(to: "/token/elsewhere").isEmpty)
        }
    }

    @Test func `the OAuth error is handed on`() async throws {
        try await SignInSession.run { session in
            session.provider.set(.errorFromTokenEndpoint)
            let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(error?.providerError?.code == "invalid_grant")
        }
    }

    @Test func `P6 no error holds a code, a token or a secret`() async throws {
        for misbehaviour in Misbehaviour.allCases {
            try await SignInSession.run(SignInSetting(clientSecret: "s3cret-value", fetchesUserInfo: true)) { session in
                session.provider.set(misbehaviour)
                do {
                    _ = try await session.signIn()
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
    }

    @Test func `every misbehaviour has its place here`() {
        let elsewhere: Set<Misbehaviour> = [.none, .rotatedJustBeforeSigning]
        #expect(
            Set(Self.rejections.map(\.misbehaviour)).union(elsewhere) == Set(Misbehaviour.allCases))
        #expect(Self.rejections.count + elsewhere.count == Misbehaviour.allCases.count)
    }
}
