// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

@Suite struct KeySelectionTests {
    @Test(.attack(.unknownKeyFlood), arguments: TestKeys.algorithms)
    func `an unknown kid is an unknown key, never another key`(algorithm: JSONWebAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let token = try key.sign(["sub": "a"], header: ["kid": "rotated"])
        #expect(throws: JSONWebSignatureError.unknownKey) { try verify(token, with: KeySet(key.publicJWK)) }
        // Nor one that has no kid: it would verify.
        #expect(throws: JSONWebSignatureError.unknownKey) {
            try verify(token, with: KeySet(key.jwk(("kid", nil))))
        }
        #expect(throws: JSONWebSignatureError.unknownKey) {
            try verify(token, with: KeySet(key.jwk(("kid", "Rotated"))))
        }
    }

    @Test func `a kid whose key is of another kind is an unknown key`() throws {
        let key = try TestKeys.key(.es256)
        let token = try key.sign(["sub": "a"], header: ["kid": "k"])
        let keys = try KeySet(TestKeys.key(.rs256).jwk(("kid", "k")), key.publicJWK)
        #expect(keys.contains(keyID: "k"))
        #expect(throws: JSONWebSignatureError.unknownKey) { try verify(token, with: keys) }
    }

    @Test(.attack(.decoyKeys)) func `among decoys of the same kid the right key is found`() throws {
        let key = try TestKeys.key(.es256)
        let named: (String, JSONValue?) = ("kid", "k")
        let keys = try KeySet(
            TestKeys.key(.rs512).jwk(named), TestKeys.key(.eddsa).jwk(named), TestKeys.key(.es384).jwk(named),
            SigningKey.generate(.es256).jwk(named), SigningKey.generate(.es256).jwk(named, ("alg", nil)),
            key.jwk(named), SigningKey.generate(.es256).jwk(named))
        #expect(keys.candidates(keyID: "k", algorithm: .es256).count == 4)
        let token = try key.sign(["sub": "a"], header: ["kid": "k"])
        #expect(try verify(token, with: keys).claims["sub"] == "a")
        // The decoys serve their own tokens.
        let edwards = try TestKeys.key(.eddsa).sign(["sub": "e"], header: ["kid": "k"])
        #expect(try verify(edwards, with: keys).claims["sub"] == "e")
    }

    @Test(.attack(.decoyKeys)) func `only decoys of the same kid: a bad signature`() throws {
        let key = try TestKeys.key(.es256)
        let keys = try KeySet(
            SigningKey.generate(.es256).jwk(("kid", "k")), SigningKey.generate(.es256).jwk(("kid", "k")), key.publicJWK)
        let token = try key.sign(["sub": "a"], header: ["kid": "k"])
        #expect(throws: JSONWebSignatureError.badSignature) { try verify(token, with: keys) }
    }

    @Test func `without a kid every key that fits is tried`() throws {
        let key = try TestKeys.key(.es256)
        let token = try key.token(header: #"{"alg":"ES256"}"#)
        let keys = try KeySet(
            TestKeys.key(.rs256).publicJWK, SigningKey.generate(.es256).publicJWK, TestKeys.key(.eddsa).publicJWK,
            key.publicJWK)
        #expect(try JSONWebSignature(compact: token).keyID?.makeString() == nil)
        #expect(try verify(token, with: keys).claims["sub"] == "a")
        #expect(throws: JSONWebSignatureError.unknownKey) {
            try verify(token, with: KeySet(TestKeys.key(.rs256).publicJWK))
        }
        #expect(throws: JSONWebSignatureError.badSignature) {
            try verify(token, with: KeySet(SigningKey.generate(.es256).publicJWK))
        }
    }

    @Test func `at most eight keys are tried for one token`() throws {
        let key = try TestKeys.key(.es256)
        let others = try (0..<8).map { _ in JSONValue.object(try SigningKey.generate(.es256).publicJWK) }
        let own = JSONValue.object(key.publicJWK)
        let token = try key.token(header: #"{"alg":"ES256"}"#)
        #expect(try verify(token, with: KeySet(entries: others[..<7] + [own])).claims["sub"] == "a")
        #expect(throws: JSONWebSignatureError.badSignature) { try verify(token, with: KeySet(entries: others + [own])) }
        // With its kid it is the only one.
        let named = try key.sign(["sub": "a"])
        #expect(try verify(named, with: KeySet(entries: others + [own])).claims["sub"] == "a")
    }
}
