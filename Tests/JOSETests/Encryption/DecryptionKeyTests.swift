// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

@Suite struct DecryptionKeyTests {
    @Test func `RSA and every curve in every format decrypt what is encrypted to their public JWK`() throws {
        let texts = [
            PrivateKeyTexts.rsa, PrivateKeyTexts.rsaPKCS1, PrivateKeyTexts.p256, PrivateKeyTexts.p384,
            PrivateKeyTexts.p384SEC1, PrivateKeyTexts.p521, PrivateKeyTexts.p521SEC1,
        ]
        for pem in texts {
            let key = try DecryptionKey(pem: pem)
            let isRSA = key.publicJWK["kty"] == "RSA"
            for contentEncryption in ["A128GCM", "A256GCM"] {
                let token = try JSONWebEncryption.encrypt(
                    Array("a.b.c".utf8), to: key.publicJWK, keyManagement: isRSA ? "RSA-OAEP-256" : "ECDH-ES",
                    contentEncryption: contentEncryption)
                #expect(try JSONWebEncryption(compact: token).decrypted(with: [key]) == "a.b.c")
            }
        }
    }

    @Test func `the public JWK is registered as it is: for encryption, named, nothing private`() throws {
        let cases = [
            (try DecryptionKey.generateRSA(), ["kty", "n", "e", "kid", "alg", "use"]),
            (try DecryptionKey.generateP256(), ["kty", "crv", "x", "y", "kid", "alg", "use"]),
        ]
        for (key, members) in cases {
            #expect(key.publicJWK.members.map { $0.name.makeString() } == members)
            #expect(key.publicJWK["use"] == "enc")
            #expect(key.publicJWK["alg"] == (key.publicJWK["kty"] == "RSA" ? "RSA-OAEP-256" : "ECDH-ES"))
            #expect(key.publicJWK["kid"]?.text?.makeString() == key.keyID)
            #expect(JSONWebKeyThumbprint.sha256(of: key.publicJWK) == key.keyID)
            // Not one that could verify a signature.
            #expect(throws: VerificationKeyError.notForVerification) { try VerificationKey(jwk: key.publicJWK) }
        }
        #expect(try DecryptionKey(pem: PrivateKeyTexts.p256).keyID == DecryptionKey(pem: PrivateKeyTexts.p256).keyID)
    }

    @Test func `a key that cannot decrypt`() {
        let cases: [(String, SigningKeyError)] = [
            ("", .notPEM), (PrivateKeyTexts.ed25519, .notForDecryption),
            (PrivateKeyTexts.rsa1024, .unsupportedKeySize),
            (PrivateKeyTexts.block("RSA PRIVATE KEY", "MAAA"), .notRSA),
            (PrivateKeyTexts.block("PRIVATE KEY", "MAAA"), .unsupportedKeyType),
            (PrivateKeyTexts.block("ENCRYPTED PRIVATE KEY", "AAAA"), .encrypted),
        ]
        for (pem, error) in cases {
            #expect(throws: error) { try DecryptionKey(pem: pem) }
        }
    }

    @Test func `a key prints its public name and nothing of itself`() throws {
        for key in [try DecryptionKey.generateRSA(), try .generateP256()] {
            #expect("\(key)" == "DecryptionKey(\(key.keyID))")
            #expect(String(reflecting: key) == "\(key)")
            var dumped = ""
            dump(key, to: &dumped)
            #expect(!dumped.contains("material"))
        }
    }
}
