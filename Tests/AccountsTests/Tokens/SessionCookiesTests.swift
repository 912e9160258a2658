// SPDX-License-Identifier: Apache-2.0

import JOSE
import JWTKit
import OIDCBrokerTesting
import Signing
import Testing

@testable import Accounts

/// What a session cookie says, and who takes it.
struct SessionCookiesTests {
    private static func cookies(
        issuer: String = AccountTokenFixture.issuer, key pem: String? = nil
    ) throws -> SessionCookies {
        let tokens = try #require(
            AccountTokens(
                projectID: AccountTokenFixture.projectID, issuer: issuer,
                keys: try SigningKeys(pem: AccountKeyTexts.elliptic)))
        return SessionCookies(for: tokens, keys: try pem.map { try SigningKeys(pem: $0) } ?? .generate())
    }

    private static func cookie(_ cookies: SessionCookies, lifetime: Int64 = 300) throws -> String {
        let fixture = try AccountTokenFixture()
        return try cookies.sign(
            fixture.account, identities: fixture.identities, session: fixture.session, lifetime: lifetime,
            now: AccountTokenFixture.now)
    }

    @Test(arguments: [
        (AccountTokenFixture.issuer, AccountTokenFixture.issuer + "/session"),
        (
            "https://securetoken.google.com/" + AccountTokenFixture.projectID,
            "https://session.firebase.google.com/" + AccountTokenFixture.projectID
        ),
        ("https://securetoken.google.com/another", "https://securetoken.google.com/another/session"),
    ])
    func `the issuer follows from that of the ID tokens, and is another one`(tokens: String, cookies: String) throws {
        #expect(try Self.cookies(issuer: tokens).issuer == cookies)
    }

    @Test func `it has the claims of the ID token but for the issuer and the expiry`() throws {
        let cookies = try Self.cookies()
        var (header, claims) = try AccountTokenFixture.parts(of: Self.cookie(cookies, lifetime: 1_209_600))
        #expect(header["kid"] == .string(cookies.keys.signing.keyID) && header["typ"] == "JWT")
        #expect(claims["iss"] == .string(cookies.issuer))
        #expect(claims["exp"] == .seconds(AccountTokenFixture.now + 1_209_600))
        let token = try AccountTokenFixture.parts(of: AccountTokenFixture().sign()).claims
        for name in ["iss", "exp"] { claims[name] = token[name] }
        #expect(claims == token)
    }

    private struct Claims: JWTPayload {
        let iss: IssuerClaim
        let sub: SubjectClaim

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    @Test(arguments: [nil, 1] as [Int?])
    func `another verifier tells both apart by the published keys alone`(rsa: Int?) async throws {
        let fixture = try AccountTokenFixture()
        let cookies = try Self.cookies(key: rsa.map { try SharedRSAKeys.pem($0) })
        let (cookie, token) = (try Self.cookie(cookies), try fixture.sign())
        for (keys, taken, refused) in [
            (cookies.keys, cookie, token), (fixture.tokens.keys, token, cookie),
        ] {
            let collection = JWTKeyCollection()
            try await collection.add(jwksJSON: keys.jwks)
            #expect(try await collection.verify(taken, as: Claims.self).sub.value == fixture.account.id.text)
            await #expect(throws: (any Error).self) { try await collection.verify(refused, as: Claims.self) }
        }
    }

    @Test func `no cookie is an ID token, also with one of the two keys or issuers`() throws {
        let fixture = try AccountTokenFixture()
        let key = try SigningKey(pem: AccountKeyTexts.elliptic)
        let mixed = try Self.cookies(key: AccountKeyTexts.elliptic)
        let ofTokenIssuer = try fixture.altered(by: try .generate(.es256))
        let cases: [(String, AccountTokenError.Code)] = [
            (try Self.cookie(Self.cookies()), .unknownKey), (try Self.cookie(mixed), .issuer),
            (ofTokenIssuer, .signature),
        ]
        #expect(mixed.keys.signing.keyID == key.keyID)
        for (token, code) in cases {
            let error = #expect(throws: AccountTokenError.self) {
                try fixture.tokens.verify(token, now: AccountTokenFixture.now)
            }
            #expect(error?.code == code)
        }
    }

    @Test func `a cookie that is too long for a verifier here is not made`() throws {
        var fixture = try AccountTokenFixture()
        fixture.account.displayName = String(repeating: "a", count: AccountTokens.maximumLength)
        let error = #expect(throws: AccountTokenError.self) {
            try Self.cookies().sign(
                fixture.account, identities: fixture.identities, session: fixture.session, lifetime: 300,
                now: AccountTokenFixture.now)
        }
        #expect(error?.code == .tooLong)
    }
}
