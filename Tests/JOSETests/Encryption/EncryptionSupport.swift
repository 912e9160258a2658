// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import JOSE

/// Two private keys for decrypting, and the tokens that tests make for them.
enum EncryptionSupport {
    /// The key of ``EncryptedTokens``' RSA tokens.
    static func rsaKey() throws -> DecryptionKey {
        try DecryptionKey(pem: PrivateKeyTexts.rsa)
    }

    /// The recipient's key of RFC 7518 appendix C.
    static func p256Key() throws -> DecryptionKey {
        try DecryptionKey(pem: PrivateKeyTexts.p256)
    }

    /// A well encrypted token for ``p256Key()`` or ``rsaKey()``, with lies in its header.
    static func token(
        _ plaintext: String = EncryptedTokens.signedToken, keyManagement: String = "ECDH-ES",
        contentEncryption: String = "A128GCM", header: JSONObject = [:]
    ) throws -> String {
        let key = try keyManagement.hasPrefix("ECDH-ES") ? p256Key() : rsaKey()
        return try JSONWebEncryption.encrypt(
            Array(plaintext.utf8), to: key.publicJWK, keyManagement: keyManagement,
            contentEncryption: contentEncryption, header: header)
    }

    /// A token of RSA-OAEP-256 with A256GCM in its header, whatever key and initialization vector are in it.
    static func rsaToken(key: [UInt8], initializationVector: [UInt8], header: String? = nil) throws -> String {
        let jwk = try rsaKey().publicJWK
        guard let modulus = jwk["n"]?.text.flatMap({ Base64URL.decode($0) }),
            let exponent = jwk["e"]?.text.flatMap({ Base64URL.decode($0) })
        else { throw TestKeys.Missing() }
        let publicKey = try _RSA.Encryption.PublicKey(n: modulus, e: exponent)
        let encryptedKey = Array(try publicKey.encrypt(key, padding: .PKCS1_OAEP_SHA256))
        let header = Base64URL.encode(Array((header ?? #"{"alg":"RSA-OAEP-256","enc":"A256GCM"}"#).utf8))
        let box = try AES.GCM.seal(
            Array(EncryptedTokens.signedToken.utf8), using: SymmetricKey(data: key),
            nonce: AES.GCM.Nonce(data: initializationVector), authenticating: Array(header.utf8))
        let segments = [encryptedKey, initializationVector, Array(box.ciphertext), Array(box.tag)]
        return ([header] + segments.map { Base64URL.encode($0) }).joined(separator: ".")
    }

    /// A token with exactly this header, and four segments that are base64url and nothing more.
    static func token(headerText: String) -> String {
        token(headerBytes: Array(headerText.utf8))
    }

    static func token(headerBytes: [UInt8]) -> String {
        Base64URL.encode(headerBytes) + ".AAAA.AAAA.AAAA.AAAA"
    }

    /// The segments of a token, each changed by a closure, joined again.
    static func changing(
        _ token: String, segment: Int, _ change: (inout [UInt8]) -> Void
    ) throws -> String {
        var segments = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard segments.indices.contains(segment), var bytes = Base64URL.decode(segments[segment]) else {
            throw TestKeys.Missing()
        }
        change(&bytes)
        segments[segment] = Base64URL.encode(bytes)
        return segments.joined(separator: ".")
    }
}
