// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

/// A private key that decrypts ID tokens which a provider encrypted to its public key.
///
/// RSA keys (2048 to 8192 bits) serve RSA-OAEP-256; P-256, P-384, P-521 and X25519 keys serve ECDH-ES, with and without
/// a key wrap. Printing the key shows only its public thumbprint. Decrypting with an RSA key takes more than a millisecond.
package struct DecryptionKey: Sendable, Unprinted {
    /// The thumbprint of the public key (RFC 7638, SHA-256, base64url).
    package let keyID: String

    /// The public key as a JWK with `kid`, `alg` and `use` (`enc`), for registration with the provider.
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
    /// - Parameter pem: Unencrypted PEM: PKCS#8, SEC 1 (elliptic curves) or PKCS#1 (RSA). Other blocks before the key
    ///   are skipped.
    /// - Throws: ``SigningKeyError``.
    package init(pem: String) throws(SigningKeyError) {
        try self.init(DecryptionKeyMaterial(PEMPrivateKey(pem)))
    }

    /// Generates an RSA key of 2048 bits, which is slow.
    package static func generateRSA() throws -> DecryptionKey {
        try DecryptionKey(.rsa(RSADecryptionKey(_RSA.Encryption.PrivateKey(keySize: .bits2048))))
    }

    /// Generates a P-256 key.
    package static func generateP256() throws -> DecryptionKey {
        try DecryptionKey(.p256(P256.KeyAgreement.PrivateKey()))
    }

    /// The key management algorithm that is registered with the key, unless another one is chosen.
    package var keyManagement: KeyManagementAlgorithm { material.keyManagement }

    /// Whether the key serves a key management algorithm: RSA keys one, all others those of key agreement.
    package func serves(_ algorithm: KeyManagementAlgorithm) -> Bool {
        (algorithm == .rsaOAEP256) == (keyManagement == .rsaOAEP256)
    }

    /// ``publicJWK`` with the algorithm that is registered, if the key serves it.
    package func publicJWK(for algorithm: KeyManagementAlgorithm?) -> JSONObject {
        guard let algorithm, serves(algorithm) else { return publicJWK }
        var jwk = publicJWK
        jwk["alg"] = .string(algorithm.rawValue)
        return jwk
    }

    /// The size of the key in bits: that of the modulus of an RSA key, and that of the curve's field otherwise.
    package var bitCount: Int {
        switch material {
        case .p256, .x25519: return 256
        case .p384: return 384
        case .p521: return 521
        case .rsa:
            guard let modulus = try? PublicKeyMaterial.unsignedInteger(publicJWK["n"]) else { return 0 }
            return modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        }
    }

    package var description: String { "DecryptionKey(\(keyID))" }
}
