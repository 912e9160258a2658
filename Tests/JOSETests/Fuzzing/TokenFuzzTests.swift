// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import JOSE
import Testing
import TestingSupport

/// Random compact tokens: no crash, and nothing verifies or decrypts but what was signed or encrypted, byte for byte.
@Suite(.onSockets) struct TokenFuzzTests {
    private static let words = [
        "..", ".", "=", "eyJhbGciOiJub25lIn0", "eyJhbGciOiJIUzI1NiJ9", "e30", "AAAA", "____", "-", "_", "+", "/",
        "eyJ6aXAiOiJERUYifQ", "eyJjcml0IjpbXX0", "\n", " ", "é", "\0",
    ]

    private static let members = [
        #""alg":"none""#, #""alg":"HS256""#, #""alg":"RS256""#, #""alg":"ECDH-ES""#, #""enc":"A128GCM""#, #""crit":[]"#,
        #""b64":false"#, #""zip":"DEF""#, #""kid":"a""#, #""apu":"QQ""#, #""epk":{}"#, ",", "{", "}", "null", "[[[[[[",
    ]

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Tokens made in two ways: changed as text, and changed in the bytes that one of their segments stands for.
    private struct Tokens {
        private let good: [[UInt8]]
        private var whole: Mutator
        private var inside: Mutator
        private var random: SeededRandom

        init(_ good: [[UInt8]], longest: Int, seed: UInt64) {
            self.good = good
            let words = TokenFuzzTests.words.map { Array($0.utf8) }
            whole = Mutator(
                corpus: good, dictionary: words, separators: [UInt8(ascii: ".")], longest: longest, seed: seed)
            inside = Mutator(
                corpus: good.flatMap { $0.split(separator: UInt8(ascii: ".")).compactMap { Base64URL.decode($0) } },
                dictionary: TokenFuzzTests.members.map { Array($0.utf8) }, separators: [UInt8(ascii: ",")],
                longest: longest, seed: seed &+ 1)
            random = SeededRandom(seed: seed &+ 2)
        }

        mutating func next() -> [UInt8] {
            guard random.below(2) == 0 else { return whole.next() }
            var segments = good[random.below(good.count)]
                .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
            let place = random.below(segments.count)
            guard let bytes = Base64URL.decode(segments[place]) else { return whole.next() }
            segments[place] = Array(Base64URL.encode(inside.mutated(bytes)).utf8)
            return Array(segments.joined(separator: [UInt8(ascii: ".")]))
        }
    }

    @Test func `compact JWS: nothing that was changed verifies`() throws {
        let curve = try TestKeys.key(.es256)
        let edwards = try TestKeys.key(.eddsa)
        let rsa = try TestKeys.key(.rs256)
        let secret = try #require(SharedSecretKey([UInt8](repeating: 7, count: 64)))
        let keys = try KeySet(curve.jwk(("alg", nil)), edwards.publicJWK, rsa.publicJWK)
        let good = try [
            curve.sign(["sub": "a", "exp": 1_700_000_000], type: "JWT"), edwards.sign(["sub": "b", "aud": ["c"]]),
            rsa.sign(["sub": "d"]), curve.token(header: #"{"alg":"ES256"}"#),
            secret.sign(["sub": "e"], algorithm: .hs256), secret.sign(["sub": "f"], algorithm: .hs512),
        ]
        let goodBytes = Set(good.map { Array($0.utf8) })
        let found = try FoundInputs.bytes(for: "jws")
        var tokens = Tokens(good.map { Array($0.utf8) } + found, longest: 2048, seed: 0x4A57_5300)
        var parsed = 0
        var verified = 0
        for round in 0..<12_000 {
            let input = round < found.count ? found[round] : tokens.next()
            guard let signature = try? JSONWebSignature(compact: text(input)) else { continue }
            parsed += 1
            let byKey = try? signature.verified(by: keys, algorithms: Set(JSONWebAlgorithm.allCases))
            let bySecret = try? signature.verified(by: secret, algorithms: Set(JSONWebAlgorithm.allCases))
            guard byKey != nil || bySecret != nil else { continue }
            verified += 1
            if !goodBytes.contains(input) || (byKey != nil && bySecret != nil) {
                Issue.record("round \(round): \(text(input))")
            }
        }
        #expect(parsed > 1000)
        #expect(verified > 0)
        #expect(verified < parsed)
    }

    @Test func `compact JWS: an ES256 signature has two texts, the mutator makes neither from the other`() throws {
        // The other s of a signature is valid as well (RFC 7518 section 3.4); a change of some bytes never finds it.
        let key = try TestKeys.key(.es256)
        let keys = try KeySet(key.publicJWK)
        let token = try key.sign(["sub": "a"])
        let lastDot = try #require(token.utf8.lastIndex(of: UInt8(ascii: ".")))
        let signature = try #require(Base64URL.decode(String(token[token.index(after: lastDot)...])))
        var mutator = Mutator(corpus: [signature], longest: 80, seed: 0x4553_3235)
        for round in 0..<2000 {
            let changed = mutator.next()
            guard changed != signature, !changed.isEmpty else { continue }
            let forged = token[...lastDot] + Base64URL.encode(changed)
            if (try? verify(String(forged), with: keys)) != nil {
                Issue.record("round \(round): \(changed)")
            }
        }
    }

    @Test func `compact JWE: nothing that was changed decrypts`() throws {
        let keys = [try EncryptionSupport.p256Key(), try EncryptionSupport.rsaKey()]
        let good = [EncryptedTokens.ecdhA128GCM, EncryptedTokens.ecdhA256GCM, EncryptedTokens.rsaA256GCM]
        let goodBytes = Set(good.map { Array($0.utf8) })
        let found = try FoundInputs.bytes(for: "jwe")
        var tokens = Tokens(good.map { Array($0.utf8) } + found, longest: 4096, seed: 0x4A57_4500)
        var parsed = 0
        var decrypted = 0
        for round in 0..<8000 {
            let input = round < found.count ? found[round] : tokens.next()
            guard let encryption = try? JSONWebEncryption(compact: text(input)) else { continue }
            parsed += 1
            // RSA takes more than a millisecond: one in sixteen is tried.
            guard goodBytes.contains(input) || parsed % 16 == 0 else { continue }
            do {
                let nested = try encryption.decrypted(with: keys)
                decrypted += 1
                if !goodBytes.contains(input) || nested != EncryptedTokens.signedToken {
                    Issue.record("round \(round): \(text(input))")
                }
            } catch {
                if error != .notDecryptable || goodBytes.contains(input) {
                    Issue.record("round \(round): \(error)")
                }
            }
        }
        #expect(parsed > 1000)
        #expect(decrypted > 0)
    }
}
