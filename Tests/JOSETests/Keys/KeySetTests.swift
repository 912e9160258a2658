// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

@Suite struct KeySetTests {
    @Test(.attack(.hostileKeySet)) func `unusable keys are skipped with their reason, good ones serve`() throws {
        let rsa = try TestKeys.key(.rs256)
        let curve = try TestKeys.key(.es256)
        let edwards = try TestKeys.key(.eddsa)
        let modulus = try rsa.octets("n")
        let otherY = try SigningKey.generate(.es256).publicJWK["y"]
        let cases: [(JSONValue, VerificationKeyError)] = [
            (["kty": "AKP", "alg": "ML-DSA-65", "pub": "AAAA"], .unsupportedKeyType),
            (["kid": "no type"], .unsupportedKeyType),
            (["kty": 1], .unsupportedKeyType),
            (.object(curve.jwk(("crv", "secp256k1"))), .unsupportedCurve),
            (.object(curve.jwk(("crv", nil))), .unsupportedCurve),
            (.object(edwards.jwk(("crv", "X25519"))), .unsupportedCurve),
            (.object(edwards.jwk(("crv", "Ed448"))), .unsupportedCurve),
            (.object(rsa.jwk(("n", "not base64!"))), .invalidEncoding),
            (.object(rsa.jwk(("n", .string(Base64.encode(modulus))))), .invalidEncoding),
            (.object(rsa.jwk(("n", nil))), .invalidEncoding),
            (.object(rsa.jwk(("e", 65537))), .invalidEncoding),
            (.object(rsa.jwk(("e", ""))), .invalidEncoding),
            (.object(rsa.jwk(("n", .string(Base64URL.encode(modulus.suffix(128)))))), .unsupportedKeySize),
            (.object(rsa.jwk(("n", "AAAA"))), .unsupportedKeySize),
            (
                .object(rsa.jwk(("n", .string(Base64URL.encode([1] + [UInt8](repeating: 1, count: 1024)))))),
                .unsupportedKeySize
            ),
            (
                .object(rsa.jwk(("n", .string(Base64URL.encode(modulus.dropLast() + [modulus[255] & 0xFE]))))),
                .evenModulus
            ),
            (.object(rsa.jwk(("n", "AA=A"))), .invalidEncoding),
            (.object(rsa.jwk(("n", "==="))), .invalidEncoding),
            (.object(rsa.jwk(("e", "AQ"))), .unsupportedExponent),
            (.object(rsa.jwk(("e", "AAAB"))), .unsupportedExponent),
            (.object(rsa.jwk(("e", "AA"))), .unsupportedExponent),
            (.object(rsa.jwk(("e", "Ag"))), .unsupportedExponent),
            (.object(rsa.jwk(("e", "AQAAAAE"))), .unsupportedExponent),
            (.object(curve.jwk(("y", otherY))), .invalidKey),
            (.object(curve.jwk(("x", "AAAA"))), .invalidEncoding),
            (.object(curve.jwk(("y", nil))), .invalidEncoding),
            (.object(edwards.jwk(("x", "AAAA"))), .invalidEncoding),
            (["kty": "oct", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ"], .privateMembers),
            (["kty": "oct"], .symmetricKey),
            (.object(rsa.jwk(("use", "enc"))), .notForVerification),
            (.object(rsa.jwk(("use", 1))), .notForVerification),
            (["kty": "AKP", "alg": "SLH-DSA-SHA2-128s", "pub": "AAAA", "kid": "p"], .unsupportedKeyType),
            (.object(curve.jwk(("kty", .null))), .unsupportedKeyType),
            (.object(rsa.jwk(("key_ops", ["sign"]))), .notForVerification),
            (.object(rsa.jwk(("key_ops", []))), .notForVerification),
            (.object(rsa.jwk(("key_ops", "verify"))), .notForVerification),
            (.object(rsa.jwk(("alg", "RSA-OAEP"))), .unsupportedAlgorithm),
            (.object(rsa.jwk(("alg", "ES256"))), .unsupportedAlgorithm),
            (.object(rsa.jwk(("alg", "none"))), .unsupportedAlgorithm),
            (.object(rsa.jwk(("alg", "HS256"))), .unsupportedAlgorithm),
            (.object(rsa.jwk(("alg", .null))), .unsupportedAlgorithm),
            (.object(curve.jwk(("alg", "ES384"))), .unsupportedAlgorithm),
            (.object(rsa.jwk(("kid", 7))), .invalidKeyID),
            (.object(rsa.jwk(("kid", .string(String(repeating: "k", count: 1025))))), .invalidKeyID),
            ("text", .notAnObject),
            (.null, .notAnObject),
            ([], .notAnObject),
        ]
        let good: [JSONValue] = [.object(rsa.publicJWK), .object(curve.publicJWK), .object(edwards.publicJWK)]
        let set = try KeySet(entries: cases.map(\.0) + good)
        #expect(set.keys.map { $0.keyID?.makeString() } == [rsa.keyID, curve.keyID, edwards.keyID])
        #expect(set.skipped.map(\.index) == Array(cases.indices))
        for (skipped, wanted) in zip(set.skipped, cases) {
            #expect(skipped.reason == wanted.1, "entry \(skipped.index)")
        }
        #expect(try verify(rsa.sign(["sub": "a"]), with: set).claims["sub"] == "a")
    }

    @Test func `key_ops with verify, and a leading zero and padding of the modulus, are fine`() throws {
        let rsa = try TestKeys.key(.rs256)
        let modulus = try rsa.octets("n")
        let set = try KeySet(
            rsa.jwk(("key_ops", ["verify", "encrypt"]), ("use", nil), ("alg", nil)),
            rsa.jwk(("n", .string(Base64URL.encode([0] + modulus)))),
            rsa.jwk(("n", .string(Base64URL.encode([0] + modulus) + "="))))
        #expect(set.keys.count == 3)
        let input = Array("signed".utf8)
        let signature = try rsa.signature(over: input)
        for key in set.keys {
            #expect(key.isValid(signature: signature, for: input, algorithm: .rs256))
        }
    }

    /// Some libraries write every member that they know.
    @Test(arguments: [.null, "", []] as [JSONValue])
    func `blank members are absent, also those that a private key has`(blank: JSONValue) throws {
        let rsa = try TestKeys.key(.rs256)
        let absent = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "use", "x5c", "x5t", "x5u"].map { ($0, blank) }
        var jwk = rsa.publicJWK
        for (name, value) in absent { jwk[name] = value }
        if blank == .null { jwk["key_ops"] = blank }
        let set = try KeySet(entries: [.object(jwk)])
        #expect(set.keys.count == 1 && !set.containsSecrets)
        #expect(try verify(rsa.sign(["sub": "a"]), with: set).claims["sub"] == "a")
    }

    @Test(.attack(.publishedPrivateKey))
    func `a key whose private part is published serves no more, oct never did`() throws {
        let rsa = try TestKeys.key(.rs256)
        let set = try KeySet(
            rsa.jwk(("d", "AQAB"), ("p", "AQAB")), ["kty": "oct", "k": "AAAA", "kid": "o"], ["kty": "oct"])
        #expect(set.keys.isEmpty)
        #expect(set.skipped.map(\.index) == [0, 1, 2])
        #expect(set.skipped.map(\.reason) == [.privateMembers, .privateMembers, .symmetricKey])
        #expect(set.skipped.map(\.keyID) == [rsa.keyID, "o", nil])
        #expect(set.containsSecrets)
        #expect(throws: JSONWebSignatureError.unknownKey) { try verify(rsa.sign(["sub": "a"]), with: set) }
        #expect(try !KeySet(rsa.publicJWK).containsSecrets)
    }

    @Test(.attack(.publishedPrivateKey))
    func `a second entry of a key whose private part is published does not serve either`() throws {
        let rsa = try TestKeys.key(.rs256)
        let curve = try TestKeys.key(.es256)
        for entries in [[rsa.publicJWK, rsa.jwk(("d", "AQAB"))], [rsa.jwk(("d", "AQAB")), rsa.jwk(("kid", "other"))]] {
            let set = try KeySet(entries: (entries + [curve.publicJWK]).map { .object($0) })
            #expect(set.skipped.map(\.reason) == [.privateMembers, .privateMembers])
            #expect(set.skipped.map(\.index) == [0, 1])
            #expect(set.keys.map { $0.keyID?.makeString() } == [curve.keyID])
        }
    }

    @Test(.attack(.publishedPrivateKey))
    func `a key whose private part is published does not serve in another spelling`() throws {
        let rsa = try TestKeys.key(.rs256)
        let curve = try TestKeys.key(.es256)
        let modulus = try #require(rsa.publicJWK["n"]?.text.flatMap { Base64URL.decode($0) })
        let padded = rsa.jwk(("n", .string(Base64URL.encode([0] + modulus))), ("d", "AQAB"))
        let other = rsa.jwk(("kid", "other"), ("e", "AAEAAQ"))
        for entries in [
            [padded, rsa.publicJWK], [padded, other], [curve.jwk(("y", nil), ("d", "AQAB")), curve.publicJWK],
        ] {
            let set = try KeySet(entries: entries.map { .object($0) })
            #expect(set.keys.isEmpty)
            #expect(set.skipped.map(\.reason) == [.privateMembers, .privateMembers])
        }
    }

    @Test(.attack(.publishedPrivateKey))
    func `an unreadable entry with a private part takes the keys of its name along, a symmetric one does not`() throws {
        let rsa = try TestKeys.key(.rs256)
        let unreadable = rsa.jwk(("n", 7), ("d", "AQAB"))
        #expect(try KeySet(unreadable, rsa.publicJWK).keys.isEmpty)
        let symmetric = rsa.jwk(("kty", "oct"), ("k", "AAAA"), ("n", nil), ("e", nil))
        #expect(try KeySet(symmetric, rsa.publicJWK).keys.count == 1)
    }

    @Test func `the name of a skipped key is shown in visible ASCII, at most 64 characters of it`() throws {
        func shown(_ keyID: JSONValue?) throws -> String? {
            try KeySet(TestKeys.key(.es256).jwk(("kid", keyID), ("d", "AQAB"))).skipped.first?.keyID
        }
        #expect(try shown("K-1.2_3") == "K-1.2_3")
        #expect(try shown("a b\r\nc\u{e9}\u{1b}") == "a?b??c???")
        #expect(try shown(.string(String(repeating: "k", count: 64))) == String(repeating: "k", count: 64))
        #expect(try shown(.string(String(repeating: "k", count: 5000))) == String(repeating: "k", count: 64))
        #expect(try shown("") == "")
        #expect(try shown(nil) == nil)
        #expect(try shown(7) == nil)
    }

    @Test(.attack(.publishedPrivateKey), arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k"])
    func `every private member is noticed, and keeps no other key from serving`(name: String) throws {
        let rsa = try TestKeys.key(.rs256)
        let curve = try TestKeys.key(.es256)
        let set = try KeySet(curve.publicJWK, rsa.jwk((name, "AQAB")))
        #expect(set.containsSecrets)
        #expect(set.skipped.map(\.reason) == [.privateMembers])
        #expect(throws: JSONWebSignatureError.unknownKey) { try verify(rsa.sign(["sub": "a"]), with: set) }
        #expect(try verify(curve.sign(["sub": "a"]), with: set).claims["sub"] == "a")
        // Nothing private comes back out.
        var dumped = ""
        dump(set, to: &dumped)
        #expect(!dumped.contains("AQAB"))
    }

    @Test(.attack(.hostileKeySet)) func `100 keys are read, 101 are too many, whatever they are`() throws {
        let jwk = JSONValue.object(try TestKeys.key(.eddsa).publicJWK)
        #expect(try KeySet(entries: Array(repeating: jwk, count: 100)).keys.count == 100)
        #expect(throws: KeySetError.tooManyKeys) { try KeySet(entries: Array(repeating: jwk, count: 101)) }
        #expect(throws: KeySetError.tooManyKeys) { try KeySet(entries: Array(repeating: .null, count: 101)) }
        #expect(throws: KeySetError.tooManyKeys) { try KeySet(entries: Array(repeating: 1, count: 10_000)) }
    }

    @Test(.attack(.hostileKeySet)) func `512 KB are read, one byte more is refused`() throws {
        let set = (["keys": [.object(try TestKeys.key(.eddsa).publicJWK)]] as JSONObject).serialized()
        let padded = set + [UInt8](repeating: 0x20, count: 524_288 - set.count)
        #expect(try KeySet(json: padded).keys.count == 1)
        #expect(throws: KeySetError.tooLong) { try KeySet(json: padded + [0x20]) }
    }

    @Test func `a text that is not a key set`() {
        #expect(throws: KeySetError.noKeys) { try KeySet(json: Array("{}".utf8)) }
        #expect(throws: KeySetError.noKeys) { try KeySet(json: Array(#"{"keys":{}}"#.utf8)) }
        #expect(throws: KeySetError.json(.notAnObject)) { try KeySet(json: Array("[]".utf8)) }
        #expect(throws: KeySetError.json(.syntax)) { try KeySet(json: Array("<html>".utf8)) }
        #expect(throws: KeySetError.json(.duplicateMember)) {
            try KeySet(json: Array(#"{"keys":[],"keys":[]}"#.utf8))
        }
    }

    @Test func `an empty set is a set that knows no key`() throws {
        let set = try KeySet(json: Array(#"{"keys":[]}"#.utf8))
        #expect(set.keys.isEmpty)
        let token = try TestKeys.key(.es256).sign(["sub": "a"])
        #expect(throws: JSONWebSignatureError.unknownKey) { try verify(token, with: set) }
    }

    @Test func `contains a kid only as the same bytes`() throws {
        let set = try KeySet(TestKeys.key(.es256).jwk(("kid", "K1")))
        #expect(set.contains(keyID: "K1"))
        #expect(!set.contains(keyID: "k1"))
        #expect(!set.contains(keyID: "\u{212A}1"))
        #expect(set.candidates(keyID: "\u{212A}1", algorithm: .es256).isEmpty)
    }
}
