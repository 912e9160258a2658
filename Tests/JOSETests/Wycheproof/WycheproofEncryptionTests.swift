// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Testing

@testable import JOSE

/// Contents, wrapped keys and key agreements, with the vectors of Project Wycheproof.
struct WycheproofEncryptionTests {
    @Test(
        arguments: [
            ("a128cbc_hs256", .a128CBCHS256), ("a192cbc_hs384", .a192CBCHS384), ("a256cbc_hs512", .a256CBCHS512),
        ] as [(String, ContentEncryptionAlgorithm)])
    func `AES-CBC with HMAC`(name: String, algorithm: ContentEncryptionAlgorithm) throws {
        try WycheproofFile(name)?.check(accepted: 67, refused: 27, isExpected: \.isValid) { vector in
            let (key, iv, data) = (try vector.octets("key"), try vector.octets("iv"), try vector.octets("aad"))
            let (ciphertext, tag) = (try vector.octets("ct"), try vector.octets("tag"))
            if vector.isValid {
                let sealed = try AuthenticatedCBC(algorithm, key: key).seal(
                    vector.octets("msg"), initializationVector: iv, authenticating: data[...])
                #expect(sealed.ciphertext == ciphertext && sealed.tag == tag, "\(vector.number)")
            }
            let opened = algorithm.open(
                ciphertext, tag: tag, key: key, initializationVector: iv, authenticating: data[...])
            return try vector.accepts(opened, "msg")
        }
    }

    /// A JWE has initialization vectors of 96 bits only (RFC 7518 section 5.3): all others are refused.
    @Test func `AES-GCM`() throws {
        let algorithms: [Int64: ContentEncryptionAlgorithm] = [128: .a128GCM, 192: .a192GCM, 256: .a256GCM]
        try WycheproofFile("aes_gcm")?.check(accepted: 116, refused: 200) { vector in
            vector.isValid && vector.group["ivSize"]?.integerValue == 96
        } accepts: { vector in
            let algorithm = try #require(vector.group["keySize"]?.integerValue.flatMap { algorithms[$0] })
            let opened = algorithm.open(
                try vector.octets("ct"), tag: try vector.octets("tag"), key: try vector.octets("key"),
                initializationVector: try vector.octets("iv"), authenticating: try vector.octets("aad")[...])
            return try vector.accepts(opened, "msg")
        }
    }

    /// Acceptable is the wrap of a key of 64 bits, which no content encryption has. It is refused.
    @Test func `AES key wrap`() throws {
        try WycheproofFile("aes_wrap")?.check(accepted: 36, refused: 129, isExpected: \.isValid) { vector in
            let key = SymmetricKey(data: try vector.octets("key"))
            let unwrapped = try? AES.KeyWrap.unwrap(try vector.octets("ct"), using: key)
            return try vector.accepts(unwrapped?.withUnsafeBytes { Array($0) }, "msg")
        }
    }

    private static func recipient(_ jwk: JSONObject) throws -> DecryptionKeyMaterial {
        let scalar = try #require(jwk["d"]?.text.flatMap { Base64URL.decode($0) })
        switch jwk["crv"]?.text {
        case "P-256": return .p256(try P256.KeyAgreement.PrivateKey(rawRepresentation: scalar))
        case "P-384": return .p384(try P384.KeyAgreement.PrivateKey(rawRepresentation: scalar))
        case "P-521": return .p521(try P521.KeyAgreement.PrivateKey(rawRepresentation: scalar))
        default: return .x25519(try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: scalar))
        }
    }

    private static func agrees(_ vector: WycheproofVector) throws -> Bool {
        let recipient = try recipient(try vector.object("private"))
        guard let share = try? EphemeralKey(jwk: try vector.object("public")) else { return false }
        return try vector.accepts(recipient.sharedSecret(with: share), "shared")
    }

    @Test(
        arguments: [
            ("ecdh_secp256r1_webcrypto", 330), ("ecdh_secp384r1_webcrypto", 771), ("ecdh_secp521r1_webcrypto", 632),
        ])
    func `ECDH`(name: String, accepted: Int) throws {
        try WycheproofFile(name)?.check(
            accepted: accepted, refused: 23, isExpected: \.isValid, accepts: Self.agrees)
    }

    /// Acceptable are shares on the twist, shares that are not canonical, which RFC 7748 section 5 says to take, and shares
    /// of low order, whose secret is zero. The latter are refused (section 6.1), the others taken.
    @Test func `X25519`() throws {
        try WycheproofFile("x25519_jwk")?.check(accepted: 487, refused: 44) { vector in
            vector.test["result"] != "invalid"
                && vector.test["flags"]?.arrayValue?.contains("ZeroSharedSecret") == false
        } accepts: {
            try Self.agrees($0)
        }
    }

    /// Those with a label are refused: a JWE has none (RFC 7518 section 4.3).
    @Test(arguments: [2048, 3072, 4096]) func `RSA-OAEP-256`(bits: Int) throws {
        try WycheproofFile("rsa_oaep_\(bits)_sha256_mgf1sha256")?.check(accepted: 10, refused: 27) { vector in
            vector.isValid && vector.test["label"] == ""
        } accepts: { vector in
            let pem = try #require(vector.group["privateKeyPem"]?.text).makeString()
            guard case .rsa(let key) = try DecryptionKeyMaterial(PEMPrivateKey(pem)) else { return false }
            return try vector.accepts(key.decrypt(try vector.octets("ct")), "msg")
        }
    }
}
