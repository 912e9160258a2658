// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

@Suite struct IDTokenPolicyTests {
    static let checkNames = IDTokenPolicy.standard.checks.map { type(of: $0).name }

    @Test(arguments: AcceptedTokens.all)
    func `accepts`(change: TokenChange) throws {
        let token = change.token()
        let payload = try token.verified()
        #expect(throws: Never.self) { try IDTokenPolicy.standard.judge(payload, token.expectation) }
    }

    /// The mutation test too: whichever check is taken out, its tokens pass.
    @Test(arguments: RefusedTokens.all)
    func `refuses by exactly one check`(change: TokenChange) throws {
        let token = change.token()
        let payload = try token.verified()
        let finding = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.judge(payload, token.expectation)
        }
        #expect(finding?.check == change.check)
        #expect(throws: Never.self) {
            try IDTokenPolicy.standard.without(change.check).judge(payload, token.expectation)
        }
    }

    @Test(arguments: IDTokenPolicyTests.checkNames)
    func `a check that is taken out is missed`(name: String) throws {
        let rest = IDTokenPolicy.standard.without(name)
        #expect(rest.checks.map { type(of: $0).name } == Self.checkNames.filter { $0 != name })
        let change = try #require(RefusedTokens.all.first { $0.check == name })
        let token = change.token()
        let payload = try token.verified()
        #expect(throws: IDTokenFinding.self) { try IDTokenPolicy.standard.judge(payload, token.expectation) }
        #expect(throws: Never.self) { try rest.judge(payload, token.expectation) }
    }

    @Test func `the tables are about every check, and each check stands there once`() {
        #expect(Set(RefusedTokens.all.map(\.check)) == Set(Self.checkNames))
        #expect(Set(Self.checkNames).count == Self.checkNames.count)
        #expect(
            Self.checkNames == [
                "token kind", "issuer", "audience", "authorized party", "subject", "expiry", "issued at", "not before",
                "nonce", "authentication time", "access token hash",
            ])
    }

    @Test func `the first finding ends it`() throws {
        var token = TokenUnderTest()
        token.claims["iss"] = "https://other.example"
        token.claims["nonce"] = "other"
        let payload = try token.verified()
        let finding = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.judge(payload, token.expectation)
        }
        #expect(finding?.check == "issuer")
        let next = #expect(throws: IDTokenFinding.self) {
            try IDTokenPolicy.standard.without("issuer").judge(payload, token.expectation)
        }
        #expect(next?.check == "nonce")
    }

    @Test func `J16 NaN and infinity are no JSON, and no claims come out of them`() throws {
        let key = try SigningKey.generate(.es256)
        let keys = try KeySet(json: (["keys": [.object(key.publicJWK)]] as JSONObject).serialized())
        for text in ["NaN", "Infinity", "-Infinity", "0x1", "+1", "01", "1."] {
            let token = try key.sign(header: ["alg": "ES256"], payload: Array(#"{"exp":\#(text)}"#.utf8))
            let signature = try JSONWebSignature(compact: token)
            #expect(throws: JSONWebSignatureError.self) { try signature.verified(by: keys, algorithms: [.es256]) }
        }
    }
}
