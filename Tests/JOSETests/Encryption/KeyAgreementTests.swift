// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JOSE

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
        #expect(throws: Never.self) {
            try JSONWebEncryption(compact: EncryptionSupport.token(header: changed(("d", .null))))
        }
        try refuse(changed(("crv", nil)), "epk: unsupported crv")
        try refuse(changed(("crv", "secp256k1")), "epk: unsupported crv")
        try refuse(changed(("crv", "X25519")), "epk: unsupported crv")
        for curve in ["Ed25519", "X448"] {
            try refuse(changed(("kty", "OKP"), ("crv", .string(curve))), "epk: unsupported crv")
        }
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

    /// The coordinates are of other curves, beyond the field, or those of no point.
    static let shares: [(curve: String, x: String, y: String)] = [
        // The generator of secp256k1.
        ("P-256", "eb5mfvncu6xVoGKVzocLBwKb_NstzijZWfKBWxb4F5g", "SDradyajxGVdpPv8DhEIqP0XtEimhVQZnEfQj_sQ1Lg"),
        // The point with x 5, written as 5 + p.
        ("P-256", "_____wAAAAEAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAQ", "RZJDuapYGAb-kTvOmYF63hHKUDxk2aPFM0FcCDJI-8w"),
        // The point with x 0, written as p.
        ("P-256", "_____wAAAAEAAAAAAAAAAAAAAAD_______________8", "ZkhceA4vg9ckM71dhKBrtlQcKvMdrocXKL-FahdPk_Q"),
    ]

    @Test func `coordinates of no point of the curve are refused, and the same point within the field is taken`() throws
    {
        let sizes = [("P-256", 32), ("P-384", 48), ("P-521", 66)]
        let filled = sizes.flatMap { curve, count in
            ([0, 0xFF] as [UInt8]).map { byte in
                let coordinate = Base64URL.encode([UInt8](repeating: byte, count: count))
                return (curve: curve, x: coordinate, y: coordinate)
            }
        }
        for (curve, x, y) in Self.shares + filled {
            try refuse(
                ["epk": ["kty": "EC", "crv": .string(curve), "x": .string(x), "y": .string(y)]], "epk: invalid key")
        }
        let five = Base64URL.encode([UInt8](repeating: 0, count: 31) + [5])
        let token = try EncryptionSupport.token(
            header: ["epk": ["kty": "EC", "crv": "P-256", "x": .string(five), "y": .string(Self.shares[1].y)]])
        #expect(throws: JSONWebEncryptionError.notDecryptable) {
            try JSONWebEncryption(compact: token).decrypted(with: [EncryptionSupport.p256Key()])
        }
    }

    /// Every X25519 share whose secret is zero for every key, but for the bit that is not read (RFC 7748 section 5).
    static let sharesOfLowOrder = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    @Test(arguments: sharesOfLowOrder) func `an X25519 share of low order, whose secret is public`(share: String)
        throws
    {
        let key = try DecryptionKey(pem: WrappedKeyTests.x25519)
        for unread: UInt8 in [0, 0x80] {
            var point = bytes(hex: share)
            point[31] |= unread
            let jwk: JSONObject = ["kty": "OKP", "crv": "X25519", "x": .string(Base64URL.encode(point))]
            let header = Base64URL.encode(
                (["alg": "ECDH-ES", "enc": "A128GCM", "epk": .object(jwk)] as JSONObject).serialized())
            let known = ConcatKeyDerivation.derive(
                sharedSecret: [UInt8](repeating: 0, count: 32), algorithm: "A128GCM", partyUInfo: [], partyVInfo: [],
                byteCount: 16)
            let sealed = try ContentEncryptionAlgorithm.a128GCM.seal(
                Array("a.b.c".utf8), key: known, authenticating: Array(header.utf8))
            let segments = [sealed.initializationVector, sealed.ciphertext, sealed.tag].map { Base64URL.encode($0) }
            let token = "\(header)..\(segments.joined(separator: "."))"
            #expect(throws: JSONWebEncryptionError.notDecryptable) {
                try JSONWebEncryption(compact: token).decrypted(with: [key])
            }
            #expect(throws: VerificationKeyError.invalidKey) { try EphemeralKey(jwk: jwk).agreeWithNewKey() }
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
        for value: JSONValue in [1, ["QQ"], "QQ==", "Q Q", "QR", "+/8"] {
            try refuse(["apu": value], "apu is not base64url")
            try refuse(["apv": value], "apv is not base64url")
        }
        // The same header, its key derived from other party information.
        let honest = try EncryptionSupport.token(header: ["apu": "QWxpY2U"])
        let key = try EncryptionSupport.p256Key()
        #expect(try JSONWebEncryption(compact: honest).decrypted(with: [key]) == EncryptedTokens.signedToken)
        for blank: JSONValue in [.null, "", []] {
            let token = try EncryptionSupport.token(header: ["apu": blank, "apv": blank])
            #expect(try JSONWebEncryption(compact: token).decrypted(with: [key]) == EncryptedTokens.signedToken)
        }
    }
}
