// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Testing

@testable import JOSE

/// Tokens and their keys, with the vectors of Project Wycheproof.
struct WycheproofTokenTests {
    // MARK: Encrypted tokens

    private static func decryptionKey(_ jwk: JSONObject) throws -> DecryptionKey {
        func number(_ name: String) throws -> [UInt8] {
            try #require(jwk[name]?.text.flatMap { Base64URL.decode($0) })
        }
        switch jwk["crv"]?.text {
        case "P-256":
            let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: try number("d"))
            return try DecryptionKey(pem: key.pemRepresentation)
        case "P-384":
            let key = try P384.KeyAgreement.PrivateKey(rawRepresentation: try number("d"))
            return try DecryptionKey(pem: key.pemRepresentation)
        default:
            let key = try _RSA.Encryption.PrivateKey(
                n: try number("n"), e: try number("e"), d: try number("d"), p: try number("p"), q: try number("q"))
            return try DecryptionKey(pem: key.pemRepresentation)
        }
    }

    /// The algorithm of the recipient's key; `nil` if it is not supported.
    private static func keyManagement(_ vector: WycheproofVector) -> KeyManagementAlgorithm? {
        vector.group["private"]?.objectValue?["alg"]?.text.flatMap { KeyManagementAlgorithm(wire: $0) }
    }

    /// All tokens for a key of an algorithm that is not supported are refused, and those that have another algorithm than
    /// the key.
    @Test func `encrypted tokens`() throws {
        try WycheproofFile("json_web_encryption")?.check(accepted: 32, refused: 107) { vector in
            vector.isValid && Self.keyManagement(vector) != nil
        } accepts: { vector in
            let text = try #require(vector.test["jwe"]?.text).makeString()
            guard let token = try? JSONWebEncryption(compact: text) else { return false }
            let algorithm = try #require(Self.keyManagement(vector))
            let key = try Self.decryptionKey(try #require(vector.group["private"]?.objectValue))
            do throws(JSONWebEncryptionError) {
                _ = try token.decrypted(with: [key], algorithm: algorithm)
                return true
            } catch {
                // The plaintexts are no signed tokens, which is found once they are decrypted.
                return error == .notNested
            }
        }
    }

    // MARK: Signed tokens

    /// Whether a signature is accepted.
    /// - Parameter jwk: A key, or a set of them. A set of one secret is the secret; all others verify no authentication code.
    private static func isSigned(_ vector: WycheproofVector, by jwk: JSONObject) throws -> Bool {
        let text = try #require(vector.test["jws"]?.text).makeString()
        guard let token = try? JSONWebSignature(compact: text) else { return false }
        let keys = jwk["keys"]?.arrayValue ?? [.object(jwk)]
        do {
            if keys.count == 1, let secret = keys[0].objectValue?["k"]?.text.flatMap({ Base64URL.decode($0) }) {
                guard let key = SharedSecretKey(secret) else { return false }
                let algorithm = keys[0].objectValue?["alg"]?.text.flatMap { JSONWebAlgorithm(wire: $0) }
                _ = try token.verified(by: key, algorithms: algorithm.map { [$0] } ?? [])
            } else {
                _ = try token.verified(by: KeySet(entries: keys), algorithms: JSONWebAlgorithm.asymmetric)
            }
            return true
        } catch let error as JSONWebSignatureError {
            // The payloads are no claims, which is found once the signature is verified.
            return error == payloadError(of: token)
        }
    }

    private static func payloadError(of token: JSONWebSignature) -> JSONWebSignatureError? {
        do throws(JSONError) {
            _ = try JSONParser.object(token.payload, limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken))
            return nil
        } catch {
            return .payload(error)
        }
    }

    private func check(_ name: String, accepted: Int, refused: Int, choices: [Int64: Bool]) throws {
        try WycheproofFile(name)?.check(accepted: accepted, refused: refused) { vector in
            choices[vector.number] ?? vector.isValid
        } accepts: { vector in
            let jwk = vector.group["public"]?.objectValue ?? vector.group["private"]?.objectValue
            return try Self.isSigned(vector, by: try #require(jwk))
        }
    }

    @Test func `signed tokens`() throws {
        try check(
            "json_web_signature", accepted: 42, refused: 359,
            choices: [
                // The key is for PS256, and the token has PS384.
                346: false, 350: false,
                // The key is for ES521, which is no algorithm.
                347: false, 351: false,
                // A character is not of base64url.
                372: false, 373: false,
                // The token is that of 357, which is valid.
                367: true, 370: true,
            ])
    }

    @Test func `keys of signed tokens`() throws {
        try check(
            "json_web_key", accepted: 5, refused: 21,
            choices: [
                // No set of keys verifies an authentication code.
                2: false,
                // That the primes of an issuer's key are weak (CVE-2017-15361) is not looked for.
                7: true,
            ])
    }
}
