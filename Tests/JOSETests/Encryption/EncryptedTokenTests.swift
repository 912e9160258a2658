// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

/// What decrypts, and with which key.
@Suite struct EncryptedTokenTests {
    private func decrypt(_ token: String, _ keys: DecryptionKey...) throws(JSONWebEncryptionError) -> String {
        try JSONWebEncryption(compact: token).decrypted(with: keys)
    }

    @Test func `what another implementation encrypted decrypts, and the nested token verifies`() throws {
        let curve = try EncryptionSupport.p256Key()
        let rsa = try EncryptionSupport.rsaKey()
        for (token, key) in [
            (EncryptedTokens.ecdhA128GCM, curve), (EncryptedTokens.ecdhA256GCM, curve),
            (EncryptedTokens.rsaA128GCM, rsa), (EncryptedTokens.rsaA256GCM, rsa),
        ] {
            #expect(try decrypt(token, key) == EncryptedTokens.signedToken)
            #expect(try decrypt(token, curve, rsa) == EncryptedTokens.signedToken)
            #expect(try decrypt(token, rsa, curve) == EncryptedTokens.signedToken)
        }
        let issuer = try KeySet([
            "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ])
        let nested = try decrypt(EncryptedTokens.ecdhA128GCM, curve)
        #expect(try verify(nested, with: issuer, algorithms: [.es256]).claims["iss"] == "joe")
    }

    @Test func `what we encrypt decrypts, every pair of algorithms, with apu and apv and without`() throws {
        let keys = try [EncryptionSupport.p256Key(), EncryptionSupport.rsaKey()]
        for keyManagement in KeyManagementAlgorithm.allCases {
            for contentEncryption in ContentEncryptionAlgorithm.allCases {
                for header: JSONObject in [[:], ["apu": "QWxpY2U"], ["apv": "Qm9i"], ["apu": "QWxpY2U", "apv": ""]] {
                    let token = try EncryptionSupport.token(
                        keyManagement: keyManagement.rawValue, contentEncryption: contentEncryption.rawValue,
                        header: header)
                    let encryption = try JSONWebEncryption(compact: token)
                    #expect(encryption.contentEncryption == contentEncryption)
                    #expect(try encryption.decrypted(with: keys) == EncryptedTokens.signedToken)
                }
            }
        }
    }

    @Test func `no two encryptions of one token are the same`() throws {
        let tokens = try (0..<4).map { _ in try EncryptionSupport.token() }
        #expect(Set(tokens).count == 4)
        #expect(Set(tokens.compactMap { $0.split(separator: ".").first }).count == 4)
    }

    @Test func `another key of the same kind does not decrypt, a key of another kind is not tried`() throws {
        let other = try DecryptionKey.generateP256()
        #expect(throws: JSONWebEncryptionError.notDecryptable) { try decrypt(EncryptedTokens.ecdhA128GCM, other) }
        let otherRSA = try DecryptionKey.generateRSA()
        #expect(throws: JSONWebEncryptionError.notDecryptable) { try decrypt(EncryptedTokens.rsaA256GCM, otherRSA) }
        for keys in [[], [try EncryptionSupport.rsaKey()], [try DecryptionKey(pem: PrivateKeyTexts.p384)]] {
            #expect(throws: JSONWebEncryptionError.unknownKey) {
                try JSONWebEncryption(compact: EncryptedTokens.ecdhA128GCM).decrypted(with: keys)
            }
        }
        #expect(throws: JSONWebEncryptionError.unknownKey) { try decrypt(EncryptedTokens.rsaA256GCM, other) }
    }

    @Test func `the kid chooses where one of ours has it, else every key that fits is tried`() throws {
        let right = try EncryptionSupport.p256Key()
        let wrong = try DecryptionKey.generateP256()
        let unnamed = try EncryptionSupport.token(header: ["kid": "chosen at registration"])
        #expect(try JSONWebEncryption(compact: unnamed).keyID == "chosen at registration")
        #expect(try decrypt(unnamed, wrong, right) == EncryptedTokens.signedToken)
        #expect(try JSONWebEncryption(compact: EncryptionSupport.token()).keyID?.makeString() == right.keyID)
        #expect(try decrypt(EncryptionSupport.token(), wrong, right) == EncryptedTokens.signedToken)
        let misnamed = try EncryptionSupport.token(header: ["kid": .string(wrong.keyID)])
        #expect(throws: JSONWebEncryptionError.notDecryptable) { try decrypt(misnamed, right, wrong) }
    }

    @Test func `a key with a registered algorithm is used with no other, and its JWK has it`() throws {
        let keys = try [
            EncryptionSupport.p256Key(), DecryptionKey(pem: WrappedKeyTests.x25519), EncryptionSupport.rsaKey(),
        ]
        for key in keys {
            for registered in KeyManagementAlgorithm.allCases {
                let jwk = key.publicJWK(for: registered)
                #expect(
                    jwk["alg"]?.text?.makeString() == (key.serves(registered) ? registered : key.keyManagement).rawValue
                )
                #expect(jwk["kid"] == key.publicJWK["kid"] && jwk["use"] == "enc")
                for algorithm in KeyManagementAlgorithm.allCases where key.serves(algorithm) {
                    let encryption = try JSONWebEncryption(
                        compact: JSONWebEncryption.encrypt(
                            Array("a.b.c".utf8), to: jwk, keyManagement: algorithm.rawValue,
                            contentEncryption: "A128GCM"))
                    #expect(encryption.keyManagement == algorithm)
                    guard algorithm != registered else {
                        #expect(try encryption.decrypted(with: keys, algorithm: registered) == "a.b.c")
                        continue
                    }
                    let error = #expect(throws: JSONWebEncryptionError.self) {
                        try encryption.decrypted(with: keys, algorithm: registered)
                    }
                    #expect(
                        "\(error.map { "\($0)" } ?? "")"
                            == "key management not allowed: expected \(registered.rawValue), found \(algorithm.rawValue)"
                    )
                }
            }
        }
        #expect(JSONWebEncryptionError.keyManagement(.ecdhES, expected: .rsaOAEP256) != .keyManagementNotAllowed)
    }

    @Test func `at most four keys are tried for one token`() throws {
        let others = try (0..<4).map { _ in try DecryptionKey.generateP256() }
        let right = try EncryptionSupport.p256Key()
        let unnamed = try JSONWebEncryption(compact: EncryptionSupport.token(header: ["kid": "?"]))
        #expect(try unnamed.decrypted(with: others[..<3] + [right]) == EncryptedTokens.signedToken)
        #expect(throws: JSONWebEncryptionError.notDecryptable) { try unnamed.decrypted(with: others + [right]) }
        let named = try JSONWebEncryption(compact: EncryptionSupport.token())
        #expect(try named.decrypted(with: others + [right]) == EncryptedTokens.signedToken)
    }

    @Test func `five segments are a JWE, three are none`() throws {
        #expect(JSONWebSignature.isFiveSegments(EncryptedTokens.rsaA256GCM))
        #expect(JSONWebSignature.isFiveSegments(EncryptedTokens.ecdhA128GCM))
        #expect(JSONWebSignature.isFiveSegments("...."))
        for other in ["", "a", "a.b.c", "a.b.c.d", "a.b.c.d.e.f", ".....", EncryptedTokens.signedToken] {
            #expect(!JSONWebSignature.isFiveSegments(other))
        }
    }

    @Test func `encrypting asks for algorithms and keys that exist`() throws {
        let jwk = try EncryptionSupport.p256Key().publicJWK
        #expect(throws: JSONWebEncryptionError.keyManagementNotAllowed) {
            try JSONWebEncryption.encrypt([], to: jwk, keyManagement: "dir", contentEncryption: "A128GCM")
        }
        #expect(throws: JSONWebEncryptionError.contentEncryptionNotAllowed) {
            try JSONWebEncryption.encrypt([], to: jwk, keyManagement: "ECDH-ES", contentEncryption: "A192CBC")
        }
        #expect(throws: VerificationKeyError.invalidEncoding) {
            try JSONWebEncryption.encrypt([], to: jwk, keyManagement: "RSA-OAEP-256", contentEncryption: "A128GCM")
        }
        #expect(throws: VerificationKeyError.unsupportedKeyType) {
            try JSONWebEncryption.encrypt([], to: [:], keyManagement: "ECDH-ES", contentEncryption: "A128GCM")
        }
    }
}
