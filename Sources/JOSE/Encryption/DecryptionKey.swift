// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

/// A private key that a provider encrypts ID tokens to.
///
/// RSA (2048 to 8192 bits) serves RSA-OAEP-256, P-256, P-384 and P-521 serve ECDH-ES. Prints as its public name only.
/// Decrypting with RSA takes more than a millisecond.
package struct DecryptionKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The public key's thumbprint (RFC 7638, SHA-256, base64url).
    package let keyID: String

    /// The public key as a JWK with `kid`, `alg` and `use` (`enc`), to be registered with the provider.
    package let publicJWK: JSONObject

    let material: DecryptionKeyMaterial

    private init(_ material: DecryptionKeyMaterial) throws(SigningKeyError) {
        var jwk = material.publicMembers
        guard let thumbprint = JSONWebKeyThumbprint.sha256(of: jwk) else { throw .unusable }
        jwk["kid"] = .string(thumbprint)
        jwk["alg"] = .string(material.keyManagement.rawValue)
        jwk["use"] = "enc"
        self.material = material
        keyID = thumbprint
        publicJWK = jwk
    }

    /// Reads a private key.
    ///
    /// - Parameter pem: PKCS#8, or SEC 1 (elliptic curves), or PKCS#1 (RSA), not encrypted. Blocks before the key are
    ///   passed over.
    /// - Throws: ``SigningKeyError``.
    package init(pem: String) throws(SigningKeyError) {
        try self.init(DecryptionKeyMaterial(PEMPrivateKey(pem)))
    }

    /// A new RSA key of 2048 bits. Takes about a tenth of a second to find.
    package static func generateRSA() throws -> DecryptionKey {
        try DecryptionKey(.rsa(RSADecryptionKey(_RSA.Encryption.PrivateKey(keySize: .bits2048))))
    }

    /// A new P-256 key.
    package static func generateP256() throws -> DecryptionKey {
        try DecryptionKey(.p256(P256.KeyAgreement.PrivateKey()))
    }

    package var description: String { "DecryptionKey(\(keyID))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
