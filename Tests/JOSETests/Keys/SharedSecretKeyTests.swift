// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import JOSE
import Testing
import TestingSupport

/// An HMAC is believed under a shared secret of its length, where it was registered, and nowhere else.
@Suite struct SharedSecretKeyTests {
    private let algorithms: [JSONWebAlgorithm] = [.hs256, .hs384, .hs512]

    private func secret(_ count: Int, _ byte: UInt8 = 0x61) throws -> SharedSecretKey {
        try #require(SharedSecretKey([UInt8](repeating: byte, count: count)))
    }

    private func verify(
        _ token: String, by secret: SharedSecretKey,
        algorithms: Set<JSONWebAlgorithm> = Set(JSONWebAlgorithm.allCases)
    ) throws(JSONWebSignatureError) -> VerifiedPayload {
        try JSONWebSignature(compact: token).verified(by: secret, algorithms: algorithms)
    }

    /// RFC 7515 appendix A.1; for the longer hashes the same key with Python's hmac.
    @Test(arguments: [
        (
            JSONWebAlgorithm.hs256,
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcG"
                + "xlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true] as JSONObject
        ),
        (
            .hs384,
            "eyJhbGciOiJIUzM4NCJ9.eyJzdWIiOiJhIn0.OWNckVE2Wg5UAA-LN0MhDM_GGZyOUFL9tsk47Q6x4fVwi2toppoFbXdXzKHSXec_",
            ["sub": "a"] as JSONObject
        ),
        (
            .hs512,
            "eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhIn0.vRElR6flh1Ahrm4pPrUdK77DqfHuN09B0rhobqXxV7TdH0msal9U26HlMP0q9HglzoXgidKF"
                + "2R3typiaI1n3wg",
            ["sub": "a"] as JSONObject
        ),
    ])
    func `published examples verify`(algorithm: JSONWebAlgorithm, token: String, claims: JSONObject) throws {
        let octets = try #require(
            Base64URL.decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
        let secret = try #require(SharedSecretKey(octets))
        let payload = try verify(token, by: secret, algorithms: [algorithm])
        #expect(payload.claims == claims)
        #expect(payload.algorithm == algorithm)
        let other = try #require(SharedSecretKey(octets.reversed()))
        #expect(throws: JSONWebSignatureError.badSignature) { try verify(token, by: other) }
    }

    @Test func `what it signs it verifies, changed in any part it does not`() throws {
        let key = try secret(64)
        for algorithm in algorithms {
            let token = key.sign(["sub": "a"], algorithm: algorithm, header: ["typ": "JWT"])
            let payload = try verify(token, by: key, algorithms: [algorithm])
            #expect(payload.claims == ["sub": "a"])
            #expect(payload.type == "JWT")
            let parts = token.split(separator: ".").map(String.init)
            let otherClaims = Base64URL.encode(Array(#"{"sub":"b"}"#.utf8))
            #expect(throws: JSONWebSignatureError.badSignature) {
                try verify("\(parts[0]).\(otherClaims).\(parts[2])", by: key)
            }
            let code = try #require(Base64URL.decode(parts[2]))
            let damaged: [[UInt8]] = [
                Array(code.dropLast()), code + [0], Array(code.dropFirst()), [code[0] ^ 1] + Array(code.dropFirst()),
            ]
            for bad in damaged {
                #expect(throws: JSONWebSignatureError.badSignature) {
                    try verify("\(parts[0]).\(parts[1]).\(Base64URL.encode(bad))", by: key)
                }
            }
            #expect(throws: JSONWebSignatureError.malformed("signature is not base64url")) {
                try verify("\(parts[0]).\(parts[1]).", by: key)
            }
        }
    }

    @Test(.attack(.unregisteredSecretSignature)) func `a secret is at least as long as the hash`() throws {
        #expect(SharedSecretKey([]) == nil)
        #expect(SharedSecretKey([UInt8](repeating: 1, count: 31)) == nil)
        for (count, supported) in [
            (32, [JSONWebAlgorithm.hs256]), (47, [.hs256]), (48, [.hs256, .hs384]), (63, [.hs256, .hs384]),
            (64, [.hs256, .hs384, .hs512]), (200, [.hs256, .hs384, .hs512]),
        ] {
            let key = try secret(count)
            #expect(JSONWebAlgorithm.allCases.filter { key.supports($0) } == supported)
        }
        // Python's hmac would do it; here a secret too short neither signs nor verifies.
        let short = try secret(32)
        let long = try secret(64)
        #expect(short.signature(over: [1], algorithm: .hs512).isEmpty)
        let header = Base64URL.encode(Array(#"{"alg":"HS512"}"#.utf8))
        let input = Array((header + "." + Base64URL.encode(Array("{}".utf8))).utf8)
        let code = long.signature(over: input, algorithm: .hs512)
        #expect(!short.isValid(signature: code, for: input, algorithm: .hs512))
        #expect(!short.isValid(signature: [], for: input, algorithm: .hs512))
        let token = String(decoding: input, as: UTF8.self) + "." + Base64URL.encode(code)
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) { try verify(token, by: short) }
    }

    @Test(.attack(.unregisteredSecretSignature)) func `an HMAC that was not registered`() throws {
        let key = try secret(64)
        for algorithm in algorithms {
            let token = key.sign(["sub": "a"], algorithm: algorithm)
            let others = Set(JSONWebAlgorithm.allCases).subtracting([algorithm])
            #expect(throws: JSONWebSignatureError.algorithmNotAllowed) {
                try verify(token, by: key, algorithms: others)
            }
            #expect(throws: JSONWebSignatureError.algorithmNotAllowed) { try verify(token, by: key, algorithms: []) }
        }
    }

    @Test(.attack(.algorithmConfusion)) func `a key set verifies no HMAC, whatever the caller allows`() throws {
        let rsa = try TestKeys.key(.rs256)
        let publicKey = try _RSA.Signing.PublicKey(n: rsa.octets("n"), e: rsa.octets("e"))
        let published: JSONObject = ["kty": "oct", "k": .string(Base64URL.encode(Array("a".utf8))), "kid": "o"]
        for bytes in [Array(publicKey.pemRepresentation.utf8), Array(publicKey.derRepresentation)] {
            let key = try #require(SharedSecretKey(bytes))
            for algorithm in algorithms {
                for header: JSONObject in [[:], ["kid": .string(rsa.keyID)], ["kid": "o"]] {
                    let token = key.sign(["sub": "a"], algorithm: algorithm, header: header)
                    let keys = try KeySet(rsa.jwk(("alg", nil)), published)
                    let signature = try JSONWebSignature(compact: token)
                    #expect(throws: JSONWebSignatureError.algorithmNotAllowed) {
                        try signature.verified(by: keys, algorithms: [algorithm])
                    }
                }
            }
        }
    }

    @Test(.attack(.algorithmConfusion)) func `a public key verifies no HMAC, asked directly`() throws {
        let rsa = try TestKeys.key(.rs256)
        let verifier = try VerificationKey(jwk: rsa.jwk(("alg", nil)))
        let key = try #require(SharedSecretKey(rsa.octets("n")))
        let input = Array("input".utf8)
        for algorithm in algorithms {
            let code = key.signature(over: input, algorithm: algorithm)
            #expect(!verifier.supports(algorithm))
            #expect(!verifier.isValid(signature: code, for: input, algorithm: algorithm))
        }
    }

    @Test func `a secret verifies no signature of a private key`() throws {
        let key = try secret(64)
        for algorithm in TestKeys.algorithms {
            let token = try TestKeys.key(algorithm).sign(["sub": "a"])
            #expect(throws: JSONWebSignatureError.algorithmNotAllowed) { try verify(token, by: key) }
            #expect(!key.supports(algorithm))
            #expect(key.signature(over: [1], algorithm: algorithm).isEmpty)
            #expect(!key.isValid(signature: [], for: [1], algorithm: algorithm))
        }
    }

    @Test(.attack(.duplicateJSONMember, .hostileJSON))
    func `the claims of an HMAC are read as strictly, and only after it holds`() throws {
        let key = try secret(32)
        let input =
            Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + "." + Base64URL.encode(Array(#"{"a":1,"a":2}"#.utf8))
        let code = key.signature(over: Array(input.utf8), algorithm: .hs256)
        #expect(throws: JSONWebSignatureError.payload(.duplicateMember)) {
            try verify(input + "." + Base64URL.encode(code), by: key)
        }
        #expect(throws: JSONWebSignatureError.badSignature) {
            try verify(input + "." + Base64URL.encode(code), by: secret(32, 0x62))
        }
    }

    @Test func `a secret prints nothing of itself`() throws {
        let key = try #require(SharedSecretKey(Array("correct horse battery staple, twice".utf8)))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(text.contains("SharedSecretKey"))
            #expect(!text.contains("horse"))
            #expect(!text.contains("key:"))
        }
    }
}
