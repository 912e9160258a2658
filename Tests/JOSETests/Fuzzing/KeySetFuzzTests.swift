// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import JOSE
import Testing
import TestingSupport

/// Random key sets: no crash, the caps hold, and no key comes out that was not in.
@Suite(.onSockets) struct KeySetFuzzTests {
    private static let words = [
        #""kty":"RSA""#, #""kty":"EC""#, #""kty":"OKP""#, #""kty":"oct""#, #""crv":"P-256""#, #""crv":"P-521""#,
        #""crv":"Ed25519""#, #""use":"enc""#, #""alg":"HS256""#, #""alg":"none""#, #""e":"AQ""#, #""e":"AAAA""#,
        #""n":"AA""#, #""x":"""#, #""kid":null"#, #""d":"AAAA""#, #""k":"AAAA""#, #""key_ops":["verify"]"#, "{},",
        "null,",
        "AAAA", "____",
    ]

    /// Values in the place of a member's own.
    private static let values: [JSONValue] = [
        .null, 1, "", "AA", "AQAB", "P-384", "RSA", "EC", "OKP", "oct", "enc", "sig", "none", "HS256", "ES256", [], [:],
        .string(String(repeating: "k", count: 1025)), .string(String(repeating: "A", count: 43)),
    ]

    /// Keys whose members are another's, or something else altogether: well formed JSON, which changed bytes seldom are.
    private func mixedSet(of keys: [JSONObject], _ random: inout SeededRandom) -> [UInt8] {
        let entries = (0...random.below(3)).map { _ in
            var jwk = keys[random.below(keys.count)]
            for _ in 0..<random.below(3) {
                let name = jwk.members[random.below(jwk.count)].name
                switch random.below(4) {
                case 0: jwk[name] = Self.values[random.below(Self.values.count)]
                case 1: jwk[name] = keys[random.below(keys.count)][name]
                case 2: jwk[name] = jwk[name]?.text.map { .string(String($0.makeString().reversed())) }
                default: jwk[["d", "k", "use", "key_ops", "alg"][random.below(5)]] = "AAAA"
                }
                guard jwk.count > 0 else { break }
            }
            return JSONValue.object(jwk)
        }
        return (["keys": .array(entries)] as JSONObject).serialized()
    }

    @Test func `key set: refused, or lossy within its caps`() throws {
        let signer = try TestKeys.key(.es256)
        let jwks = try [
            signer.publicJWK, signer.jwk(("kid", nil), ("alg", nil)), TestKeys.key(.eddsa).publicJWK,
            TestKeys.key(.es384).publicJWK, TestKeys.key(.rs256).publicJWK,
        ]
        let sets = jwks.map { (["keys": [.object($0)]] as JSONObject).serialized() }
        let found = try FoundInputs.bytes(for: "keyset")
        var mutator = Mutator(
            corpus: sets + found, dictionary: Self.words.map { Array($0.utf8) }, separators: [UInt8(ascii: ",")],
            longest: 2048, seed: 0x4A57_4B53)
        var random = SeededRandom(seed: 0x4A57_4B54)
        let input = Array("signed".utf8)
        let signature = try signer.signature(over: input)
        var usable = 0
        var skipped = 0
        var signatures = 0
        for round in 0..<8000 {
            let text =
                round < found.count ? found[round] : round % 2 == 0 ? mixedSet(of: jwks, &random) : mutator.next()
            guard let set = try? KeySet(json: text) else { continue }
            usable += set.keys.count
            skipped += set.skipped.count
            if set.keys.count + set.skipped.count > KeySet.mostKeys {
                Issue.record("round \(round): more keys than the cap")
            }
            for key in set.keys {
                let symmetric = JSONWebAlgorithm.allCases.filter { $0.isSymmetric && key.supports($0) }
                if !symmetric.isEmpty || (key.keyID?.utf8.count ?? 0) > VerificationKey.longestKeyID {
                    Issue.record("round \(round): \(String(decoding: text, as: UTF8.self))")
                }
                // What verifies the signer's signature is the signer's key: both coordinates are in the text.
                guard round % 16 == 0, key.isValid(signature: signature, for: input, algorithm: .es256) else {
                    continue
                }
                signatures += 1
                let whole = String(decoding: text, as: UTF8.self)
                if !["x", "y"].allSatisfy({ whole.contains(signer.publicJWK[$0]?.text?.makeString() ?? "?") }) {
                    Issue.record("round \(round): \(whole)")
                }
            }
        }
        #expect(usable > 1000)
        #expect(skipped > 1000)
        #expect(signatures > 10)
    }
}
