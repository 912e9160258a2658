// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@testable import oidc_broker_demo

/// What the sample app checks in a token response.
struct ReceivedTokensTests {
    private let key: SigningKey
    private let keys: KeySet
    private let expectation = ReceivedTokens.Expectation(issuer: "https://b", audience: "sample", nonce: "n", now: 1000)
    private let claims: JSONObject = [
        "iss": "https://b", "aud": "sample", "nonce": "n", "exp": 1001, "sub": "s", "upstream_iss": "https://p",
        "upstream_sub": "u", "email": "ada@example.org",
    ]
    private let upstream: JSONObject = ["iss": "https://p", "sub": "u", "email": "ada@example.org"]

    init() throws {
        key = try SigningKey.generate(.es256)
        keys = try Self.keySet(key)
    }

    @Test func `A good one passes all`() throws {
        let report = try validated(claims, upstream, by: keys)
        #expect(report.isVerified && report.checks.count == 6)
        #expect(report.claims["sub"] == "s" && report.upstreamClaims["sub"] == "u")
    }

    @Test(
        arguments: [
            ("iss", "https://evil", 1), ("aud", "other", 2), ("exp", 1000, 3), ("exp", "1001", 3), ("nonce", "m", 4),
            ("upstream_iss", "https://q", 5), ("upstream_sub", "v", 5), ("email", "eve@example.org", 5),
        ] as [(String, JSONValue, Int)])
    func `Each check fails by itself`(name: String, value: JSONValue, check: Int) throws {
        var wrong = claims
        wrong[name] = value
        let report = try validated(wrong, upstream, by: keys)
        #expect(!report.isVerified)
        #expect(report.checks.enumerated().filter { !$1.hasPassed }.map(\.offset) == [check])
    }

    @Test func `Another key's signature: no claim is taken or shown`() throws {
        let report = try validated(claims, upstream, by: Self.keySet(try SigningKey.generate(.es256)))
        #expect(!report.isVerified && report.claims.count == 0)
        #expect(report.checks.allSatisfy { !$0.hasPassed })
    }

    @Test func `Without an ID token nothing holds`() {
        var report = SignInReport()
        ReceivedTokens([:]).validate(by: keys, expectation, into: &report)
        #expect(report.checks.count == 6 && report.checks.allSatisfy { !$0.hasPassed })
        #expect(!SignInReport().isVerified)
    }

    private func validated(_ claims: JSONObject, _ upstream: JSONObject, by keys: KeySet) throws -> SignInReport {
        var report = SignInReport()
        let response: JSONObject = [
            "id_token": .string(try key.sign(claims, type: "JWT")),
            "upstream": .object(["claims": .object(upstream)]),
        ]
        ReceivedTokens(response).validate(by: keys, expectation, into: &report)
        return report
    }

    private static func keySet(_ key: SigningKey) throws -> KeySet {
        let set: JSONObject = ["keys": .array([.object(key.publicJWK)])]
        return try KeySet(json: set.serialized())
    }
}
