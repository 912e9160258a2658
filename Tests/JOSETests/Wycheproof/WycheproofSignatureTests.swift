// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JOSE

/// Signatures and authentication codes, with the vectors of Project Wycheproof.
struct WycheproofSignatureTests {
    private static func isValid(
        _ vector: WycheproofVector, _ jwk: JSONObject, _ algorithm: JSONWebAlgorithm
    ) throws -> Bool {
        try VerificationKey(jwk: jwk).isValid(
            signature: try vector.octets("sig"), for: try vector.octets("msg"), algorithm: algorithm)
    }

    @Test(
        arguments: [
            ("ecdsa_secp256r1_sha256_p1363", .es256, 173, 89), ("ecdsa_secp384r1_sha384_p1363", .es384, 193, 87),
            ("ecdsa_secp521r1_sha512_p1363", .es512, 231, 87),
        ] as [(String, JSONWebAlgorithm, Int, Int)])
    func `ECDSA`(name: String, algorithm: JSONWebAlgorithm, accepted: Int, refused: Int) throws {
        let curves: [JSONWebAlgorithm: String] = [.es256: "P-256", .es384: "P-384", .es512: "P-521"]
        try WycheproofFile(name)?.check(accepted: accepted, refused: refused, isExpected: \.isValid) { vector in
            let point = try WycheproofVector.octets(vector.group["publicKey"]?.objectValue?["uncompressed"])
            let jwk = PrivateKeyMaterial.ellipticCurve(
                try #require(curves[algorithm]), point: Array(point.dropFirst()))
            return try Self.isValid(vector, jwk, algorithm)
        }
    }

    private static func rsa(_ vector: WycheproofVector) throws -> JSONObject {
        let key = vector.group["publicKey"]?.objectValue
        return PrivateKeyMaterial.rsa(
            modulus: try WycheproofVector.octets(key?["modulus"]),
            exponent: try WycheproofVector.octets(key?["publicExponent"]))
    }

    /// Acceptable is a signature whose name of the hash has no parameters, where RFC 8017 section 9.2 has NULL. It is
    /// refused.
    @Test(
        arguments: [
            ("2048_sha256", .rs256, 9, 250), ("2048_sha384", .rs384, 7, 251), ("2048_sha512", .rs512, 8, 251),
            ("3072_sha256", .rs256, 8, 251), ("3072_sha384", .rs384, 7, 252), ("3072_sha512", .rs512, 8, 252),
            ("4096_sha256", .rs256, 7, 251), ("4096_sha384", .rs384, 7, 252), ("4096_sha512", .rs512, 7, 252),
            ("8192_sha256", .rs256, 7, 251), ("8192_sha384", .rs384, 7, 252), ("8192_sha512", .rs512, 7, 252),
        ] as [(String, JSONWebAlgorithm, Int, Int)])
    func `RSASSA-PKCS1-v1_5`(name: String, algorithm: JSONWebAlgorithm, accepted: Int, refused: Int) throws {
        try WycheproofFile("rsa_signature_" + name)?.check(
            accepted: accepted, refused: refused, isExpected: \.isValid
        ) { vector in
            try Self.isValid(vector, Self.rsa(vector), algorithm)
        }
    }

    /// A JWS has a salt as long as the hash, and the same hash in its mask (RFC 7518 section 3.5): all others are refused.
    @Test(
        arguments: [
            ("2048_sha256_mgf1_32", .ps256, 63, 45), ("3072_sha256_mgf1_32", .ps256, 63, 45),
            ("4096_sha256_mgf1_32", .ps256, 63, 45), ("2048_sha384_mgf1_48", .ps384, 95, 46),
            ("4096_sha384_mgf1_48", .ps384, 95, 46), ("4096_sha512_mgf1_64", .ps512, 132, 47),
            ("4096_sha512_mgf1_32", .ps512, 0, 177), ("2048_sha256_mgf1sha1_20", .ps256, 0, 108),
        ] as [(String, JSONWebAlgorithm, Int, Int)])
    func `RSASSA-PSS`(name: String, algorithm: JSONWebAlgorithm, accepted: Int, refused: Int) throws {
        let saltLengths: [JSONWebAlgorithm: Int64] = [.ps256: 32, .ps384: 48, .ps512: 64]
        try WycheproofFile("rsa_pss_" + name)?.check(accepted: accepted, refused: refused) { vector in
            vector.isValid && vector.group["sLen"]?.integerValue == saltLengths[algorithm]
                && vector.group["mgfSha"] == vector.group["sha"]
        } accepts: { vector in
            try Self.isValid(vector, Self.rsa(vector), algorithm)
        }
    }

    @Test func `Ed25519`() throws {
        try WycheproofFile("ed25519")?.check(accepted: 88, refused: 63, isExpected: \.isValid) { vector in
            let point = try WycheproofVector.octets(vector.group["publicKey"]?.objectValue?["pk"])
            let jwk: JSONObject = ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(point))]
            return try Self.isValid(vector, jwk, .ed25519)
        }
    }

    /// Codes that are cut short are refused, and so are keys that are shorter than the hash (RFC 7518 section 3.2).
    @Test(
        arguments: [("hmac_sha256", .hs256, 256), ("hmac_sha384", .hs384, 384), ("hmac_sha512", .hs512, 512)]
            as [(String, JSONWebAlgorithm, Int64)])
    func `HMAC`(name: String, algorithm: JSONWebAlgorithm, bits: Int64) throws {
        try WycheproofFile(name)?.check(accepted: 30, refused: 144) { vector in
            vector.isValid && vector.group["tagSize"]?.integerValue == bits
                && (vector.group["keySize"]?.integerValue ?? 0) >= bits
        } accepts: { vector in
            guard let key = SharedSecretKey(try vector.octets("key")) else { return false }
            return key.isValid(
                signature: try vector.octets("tag"), for: try vector.octets("msg"), algorithm: algorithm)
        }
    }
}
