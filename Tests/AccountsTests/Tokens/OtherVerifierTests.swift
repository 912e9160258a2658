// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import JOSE
import JWTKit
import Signing
import Testing

/// What jwt-kit, which knows nothing of accounts, makes of the tokens and of the published keys.
struct OtherVerifierTests {
    private struct Claims: JWTPayload {
        let iss: IssuerClaim
        let sub: SubjectClaim
        let aud: AudienceClaim
        let exp: ExpirationClaim
        let auth_time: Int

        func verify(using algorithm: some JWTAlgorithm) async throws {
            try exp.verifyNotExpired(currentDate: Date(timeIntervalSince1970: TimeInterval(AccountTokenFixture.now)))
        }
    }

    private func verify(_ token: String, with tokens: AccountTokens) async throws -> Claims {
        let collection = JWTKeyCollection()
        try await collection.add(jwksJSON: tokens.keys.jwks)
        return try await collection.verify(token, as: Claims.self)
    }

    @Test(arguments: [JSONWebAlgorithm.es256, .rs256])
    func `another verifier takes a token by the published keys, and refuses what is altered`(
        algorithm: JSONWebAlgorithm
    ) async throws {
        let fixture = try AccountTokenFixture(algorithm)
        let claims = try await verify(fixture.sign(), with: fixture.tokens)
        #expect(claims.iss.value == AccountTokenFixture.issuer)
        #expect(claims.aud.value == [AccountTokenFixture.projectID])
        #expect(claims.sub.value == fixture.account.id.text)
        #expect(Int64(claims.auth_time) == fixture.session.authTime)

        let expired = try fixture.sign(now: AccountTokenFixture.now - AccountTokens.lifetime)
        await #expect(throws: JWTError.self) { try await verify(expired, with: fixture.tokens) }
        let other = try SigningKey.generate(.es256)
        let forged = try fixture.altered(by: other)
        await #expect(throws: (any Error).self) { try await verify(forged, with: fixture.tokens) }
        var token = try fixture.sign()
        token.removeLast(4)
        let cut = token
        await #expect(throws: (any Error).self) { try await verify(cut, with: fixture.tokens) }
    }
}
