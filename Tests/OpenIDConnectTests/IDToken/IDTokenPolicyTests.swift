// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct IDTokenPolicyTests {
    @Test(
        .attack(
            .impossibleTimes, .missingOrOldTimes, .expiredToken, .wrongAudience, .nearlyTheIssuer, .foreignTenant,
            .replayedNonce, .impossibleSubject, .wrongTokenHash), arguments: AcceptedTokens.all, Situation.allCases)
    func `accepts`(change: TokenChange, situation: Situation) throws {
        let token = change.token(situation)
        let payload = try token.verified()
        #expect(throws: Never.self) { try IDTokenPolicy.standard.validate(payload, token.expectation) }
    }

    /// The mutation test of each row: with its check taken out, it passes.
    @Test(
        .attack(
            .impossibleTimes, .missingOrOldTimes, .expiredToken, .wrongAudience, .nearlyTheIssuer, .foreignTenant,
            .replayedNonce, .impossibleSubject, .tokenOfAnotherKind, .tokenOfAnotherClient, .wrongTokenHash,
            .providerClockSkew), arguments: RefusedTokens.all, Situation.allCases)
    func `refuses by exactly one check`(change: TokenChange, situation: Situation) throws {
        let token = change.token(situation)
        let payload = try token.verified()
        let finding = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.validate(payload, token.expectation)
        }
        #expect(finding?.check == change.check)
        #expect(throws: Never.self) {
            try IDTokenPolicy.standard.without(change.check).validate(payload, token.expectation)
        }
    }

    @Test(.attack(.tokenOfAnotherKind), arguments: OtherTokens.all, Situation.allCases)
    func `refuses tokens of other kinds, without their typ too`(change: TokenChange, situation: Situation) throws {
        let token = change.token(situation)
        let payload = try token.verified()
        let finding = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.validate(payload, token.expectation)
        }
        #expect(finding?.check == change.check)
    }

    @Test func `each check occurs once, in this order`() {
        #expect(
            IDTokenPolicy.standard.checks.map(\.name) == [
                "token kind", "issuer", "audience", "authorized party", "subject", "subject continuity", "expiry",
                "issued at", "not before", "nonce", "authentication time", "authentication context",
                "access token hash", "code hash", "state hash",
            ])
    }

    @Test func `the first finding ends it`() throws {
        var token = TokenUnderTest()
        token.claims["iss"] = "https://other.example"
        token.claims["nonce"] = "other"
        let payload = try token.verified()
        let finding = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.validate(payload, token.expectation)
        }
        #expect(finding?.check == "issuer")
        let next = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.without("issuer").validate(payload, token.expectation)
        }
        #expect(next?.check == "nonce")
    }

    @Test(arguments: ["n-0S6_WzA2Mj", "another", nil] as [String?])
    func `a refresh's token may repeat the nonce or have none`(nonce: String?) throws {
        var token = TokenUnderTest()
        token.claims["nonce"] = nonce.map { .string($0) }
        token.expectation.nonce = nil
        token.expectation.subject = "person"
        let payload = try token.verified()
        #expect(throws: Never.self) { try IDTokenPolicy.standard.forRefresh.validate(payload, token.expectation) }
    }

    @Test func `a refresh's token is validated by every other check`() throws {
        let rest = IDTokenPolicy.standard.forRefresh.checks.map(\.name)
        #expect(rest == IDTokenPolicy.standard.checks.map(\.name).filter { $0 != "nonce" })
        for change in RefusedTokens.all where change.check != "nonce" {
            let token = change.token()
            let payload = try token.verified()
            #expect(throws: IDTokenFinding.self, "\(change)") {
                try IDTokenPolicy.standard.forRefresh.validate(payload, token.expectation)
            }
        }
    }

    @Test(.attack(.impossibleTimes)) func `NaN and infinity are not JSON, and no claims come out of them`() throws {
        let key = try SigningKey.generate(.es256)
        let keys = try KeySet(json: (["keys": [.object(key.publicJWK)]] as JSONObject).serialized())
        for text in ["NaN", "Infinity", "-Infinity", "0x1", "+1", "01", "1."] {
            let token = try key.sign(header: ["alg": "ES256"], payload: Array(#"{"exp":\#(text)}"#.utf8))
            let signature = try JSONWebSignature(compact: token)
            #expect(throws: JSONWebSignatureError.self) { try signature.verified(by: keys, algorithms: [.es256]) }
        }
    }
}
