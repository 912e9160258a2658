// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

/// Private keys as openssl and others write them, for every algorithm.
@Suite struct PrivateKeyFormatTests {
    @Test func `every kind and format signs what its public half verifies`() throws {
        for (algorithm, pem) in PrivateKeyTexts.all {
            let key = try SigningKey(pem: pem, algorithm: algorithm)
            #expect(key.algorithm == algorithm)
            let payload = try verify(key.sign(["sub": "a"]), with: KeySet(key.publicJWK), algorithms: [algorithm])
            #expect(payload.claims["sub"] == "a")
        }
    }

    @Test func `the public halves are the ones that openssl and Python print`() throws {
        let edwards = try SigningKey(pem: PrivateKeyTexts.ed25519, algorithm: .eddsa)
        #expect(edwards.publicJWK["x"] == "gfNe4iw5e3XU4jpDKIa1Gs8Vlp23tyC1amEUX6Z_PlE")
        let withPublicKey = try SigningKey(pem: PrivateKeyTexts.ed25519WithPublicKey, algorithm: .eddsa)
        #expect(withPublicKey.publicJWK == edwards.publicJWK)
        let p256 = try SigningKey(pem: PrivateKeyTexts.p256, algorithm: .es256)
        #expect(p256.publicJWK["x"] == "weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ")
        #expect(p256.publicJWK["y"] == "e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck")
        let p384 = try SigningKey(pem: PrivateKeyTexts.p384SEC1, algorithm: .es384)
        let x = bytes(
            hex: "4dc62da6f44f9db7b9b6a7e8ea14e50ec8f517a5078d931db2f528901589f79f1fa31d0ee87ed0b2ff13ef505168ed9e")
        #expect(p384.publicJWK["x"]?.text?.makeString() == Base64URL.encode(x))
        let pairs = [
            (JSONWebAlgorithm.rs256, PrivateKeyTexts.rsa, PrivateKeyTexts.rsaPKCS1),
            (.es384, PrivateKeyTexts.p384, PrivateKeyTexts.p384SEC1),
            (.es512, PrivateKeyTexts.p521, PrivateKeyTexts.p521SEC1),
        ]
        for (algorithm, first, second) in pairs {
            let keys = try [first, second].map { try SigningKey(pem: $0, algorithm: algorithm) }
            #expect(keys[0].keyID == keys[1].keyID)
        }
    }

    @Test func `the algorithm that goes with a key`() throws {
        for (pem, algorithm) in [
            (PrivateKeyTexts.rsa, JSONWebAlgorithm.rs256), (PrivateKeyTexts.rsaPKCS1, .rs256),
            (PrivateKeyTexts.p256, .es256), (PrivateKeyTexts.p384, .es384), (PrivateKeyTexts.p384SEC1, .es384),
            (PrivateKeyTexts.p521SEC1, .es512), (PrivateKeyTexts.ed25519, .eddsa),
        ] {
            #expect(try SigningKey.defaultAlgorithm(pem: pem) == algorithm)
        }
        #expect(throws: SigningKeyError.unsupportedKeyType) {
            try SigningKey.defaultAlgorithm(pem: PrivateKeyTexts.x25519)
        }
        #expect(throws: SigningKeyError.notPEM) { try SigningKey.defaultAlgorithm(pem: "") }
    }

    @Test func `a key of another kind than the algorithm's is named`() {
        let kinds: [(JSONWebAlgorithm, SigningKeyError)] = [
            (.rs256, .notRSA), (.rs512, .notRSA), (.ps384, .notRSA), (.es256, .notP256), (.es384, .notP384),
            (.es512, .notP521), (.eddsa, .notEd25519),
        ]
        let texts: [(String, Set<JSONWebAlgorithm>)] = [
            (PrivateKeyTexts.rsa, [.rs256, .rs512, .ps384]), (PrivateKeyTexts.rsaPKCS1, [.rs256, .rs512, .ps384]),
            (PrivateKeyTexts.p256, [.es256]), (PrivateKeyTexts.p384, [.es384]), (PrivateKeyTexts.p521, [.es512]),
            (PrivateKeyTexts.p521SEC1, [.es512]), (PrivateKeyTexts.ed25519, [.eddsa, .ed25519]),
            (PrivateKeyTexts.x25519, []),
        ]
        for (pem, fitting) in texts {
            for (algorithm, error) in kinds where !fitting.contains(algorithm) {
                #expect(throws: error) { try SigningKey(pem: pem, algorithm: algorithm) }
            }
        }
    }

    @Test func `a short RSA key, a symmetric algorithm, a damaged block`() {
        #expect(throws: SigningKeyError.unsupportedKeySize) {
            try SigningKey(pem: PrivateKeyTexts.rsa1024, algorithm: .rs256)
        }
        #expect(throws: SigningKeyError.symmetricAlgorithm) {
            try SigningKey(pem: PrivateKeyTexts.p256, algorithm: .hs256)
        }
        #expect(throws: SigningKeyError.symmetricAlgorithm) { try SigningKey.generate(.hs512) }
        for (algorithm, error) in [
            (JSONWebAlgorithm.rs256, SigningKeyError.notRSA), (.es256, .notP256), (.eddsa, .notEd25519),
        ] {
            for label in ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"] {
                let block = PrivateKeyTexts.block(label, "MAAA")
                #expect(throws: error) { try SigningKey(pem: block, algorithm: algorithm) }
            }
        }
    }

    @Test func `an Ed25519 block with any of its lengths wrong`() throws {
        let body = PrivateKeyTexts.ed25519.split(separator: "\n")[1]
        let der = try #require(Base64.decode(String(body)))
        #expect(der.count == 48)
        var damaged: [[UInt8]] = [Array(der.dropLast()), der + [0], Array(der.dropLast(2))]
        for place in [0, 1, 2, 3, 4, 5, 6, 12, 13, 14, 15] {
            var copy = der
            copy[place] ^= 2
            damaged.append(copy)
        }
        for bytes in damaged {
            let block = PrivateKeyTexts.block("PRIVATE KEY", Base64.encode(bytes))
            #expect(throws: SigningKeyError.notEd25519) { try SigningKey(pem: block, algorithm: .eddsa) }
        }
    }

    @Test func `a curve of the right length and another name is not taken for ours`() throws {
        let cases: [(String, JSONWebAlgorithm, [UInt8], SigningKeyError)] = [
            (PrivateKeyTexts.p256, .es256, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07], .notP256),
            (PrivateKeyTexts.p384, .es384, [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22], .notP384),
            (PrivateKeyTexts.p521, .es512, [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23], .notP521),
        ]
        for (pem, algorithm, identifier, error) in cases {
            var der = try #require(Base64.decode(pem.split(separator: "\n").dropFirst().dropLast().joined()))
            let place = try #require(der.indices.first { der[$0...].starts(with: identifier) })
            der[place + identifier.count - 1] = 0x0A
            let block = PrivateKeyTexts.block("PRIVATE KEY", Base64.encode(der))
            #expect(throws: error) { try SigningKey(pem: block, algorithm: algorithm) }
            #expect(throws: SigningKeyError.unsupportedKeyType) { try DecryptionKey(pem: block) }
        }
    }
}
