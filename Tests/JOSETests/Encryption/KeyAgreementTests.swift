// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

/// `epk`, `apu` and `apv` (RFC 7518 section 4.6.1).
@Suite struct KeyAgreementTests {
    private func refuse(_ header: JSONObject, _ reason: String, at location: SourceLocation = #_sourceLocation) throws {
        let token = try EncryptionSupport.token(header: header)
        #expect(throws: JSONWebEncryptionError.malformed(reason), sourceLocation: location) {
            try JSONWebEncryption(compact: token)
        }
    }

    @Test func `epk is a public key on a known curve, in full length`() throws {
        var share: JSONObject = [:]
        for member in try SigningKey.generate(.es256).publicJWK.members
        where ["kty", "crv", "x", "y"].contains(member.name) {
            share[member.name] = member.value
        }
        func changed(_ changes: (String, JSONValue?)...) -> JSONObject {
            var jwk = share
            for (name, value) in changes {
                jwk[name] = value
            }
            return ["epk": .object(jwk)]
        }
        for value: JSONValue in ["text", 1, .null, [], true] {
            try refuse(["epk": value], "epk is not an object")
        }
        #expect(throws: JSONWebEncryptionError.malformed("epk is not an object")) {
            try JSONWebEncryption(
                compact: EncryptionSupport.token(headerText: #"{"alg":"ECDH-ES","enc":"A128GCM"}"#))
        }
        try refuse(changed(("kty", nil)), "epk: unsupported kty")
        try refuse(changed(("kty", "OKP")), "epk: unsupported crv")
        try refuse(changed(("kty", "OKP"), ("crv", "X25519"), ("x", "AAAA")), "epk: unusable key material")
        try refuse(changed(("kty", "RSA")), "epk: unsupported kty")
        try refuse(changed(("d", "AAAA")), "epk: unsupported kty")
        try refuse(changed(("crv", nil)), "epk: unsupported crv")
        try refuse(changed(("crv", "secp256k1")), "epk: unsupported crv")
        try refuse(changed(("crv", "X25519")), "epk: unsupported crv")
        try refuse(changed(("x", nil)), "epk: unusable key material")
        try refuse(changed(("y", 1)), "epk: unusable key material")
        try refuse(changed(("x", "AAAA")), "epk: unusable key material")
        try refuse(changed(("crv", "P-384")), "epk: unusable key material")
        let x = try #require(share["x"]?.text?.makeString())
        try refuse(changed(("x", .string(x + "="))), "epk: unusable key material")
        try refuse(changed(("x", .string("AAAA" + x))), "epk: unusable key material")
    }

    @Test func `a point that is not on the curve (CVE-2017-16007 and its kin)`() throws {
        let zero = Base64URL.encode([UInt8](repeating: 0, count: 32))
        let one = Base64URL.encode([UInt8](repeating: 0, count: 31) + [1])
        let share = try SigningKey.generate(.es256).publicJWK
        let other = try SigningKey.generate(.es256).publicJWK
        for (x, y) in [(share["x"], other["y"]), (.string(zero), .string(zero)), (.string(one), .string(one))] {
            var jwk: JSONObject = ["kty": "EC", "crv": "P-256"]
            jwk["x"] = x
            jwk["y"] = y
            try refuse(["epk": .object(jwk)], "epk: invalid key")
        }
    }

    @Test func `a share of another curve than the key's finds no key`() throws {
        let p384 = try DecryptionKey(pem: PrivateKeyTexts.p384)
        let token = try JSONWebEncryption.encrypt(
            Array(EncryptedTokens.signedToken.utf8), to: p384.publicJWK, keyManagement: "ECDH-ES",
            contentEncryption: "A128GCM")
        let encryption = try JSONWebEncryption(compact: token)
        #expect(try encryption.decrypted(with: [p384]) == EncryptedTokens.signedToken)
        for pem in [PrivateKeyTexts.p256, PrivateKeyTexts.p521, PrivateKeyTexts.rsa] {
            let key = try DecryptionKey(pem: pem)
            #expect(throws: JSONWebEncryptionError.unknownKey) { try encryption.decrypted(with: [key]) }
        }
    }

    @Test func `apu and apv are base64url where present, and bind the key`() throws {
        for value: JSONValue in [1, .null, ["QQ"], "QQ==", "Q Q", "QR", "+/8"] {
            try refuse(["apu": value], "apu is not base64url")
            try refuse(["apv": value], "apv is not base64url")
        }
        // The same header, its key derived from other party information.
        let honest = try EncryptionSupport.token(header: ["apu": "QWxpY2U"])
        let key = try EncryptionSupport.p256Key()
        #expect(try JSONWebEncryption(compact: honest).decrypted(with: [key]) == EncryptedTokens.signedToken)
    }
}
