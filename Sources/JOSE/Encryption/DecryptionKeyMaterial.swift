// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

/// A private key that a JWE can be encrypted to. Its case determines the key management algorithm that it serves.
enum DecryptionKeyMaterial: Sendable {
    case rsa(RSADecryptionKey)
    case p256(P256.KeyAgreement.PrivateKey)
    case p384(P384.KeyAgreement.PrivateKey)
    case p521(P521.KeyAgreement.PrivateKey)
    case x25519(Curve25519.KeyAgreement.PrivateKey)

    init(_ block: PEMPrivateKey) throws(SigningKeyError) {
        let der = block.der
        switch block.kind {
        case .rsa:
            // The "unsafe" initializer differs only in accepting short keys, which are refused below with an error of
            // their own.
            guard let key = try? _RSA.Encryption.PrivateKey(unsafeDERRepresentation: der) else { throw .notRSA }
            guard let key = try? RSADecryptionKey(key) else { throw .unsupportedKeySize }
            self = .rsa(key)
        case .p256:
            guard let key = try? P256.KeyAgreement.PrivateKey(derRepresentation: der) else { throw .notP256 }
            self = .p256(key)
        case .p384:
            guard let key = try? P384.KeyAgreement.PrivateKey(derRepresentation: der) else { throw .notP384 }
            self = .p384(key)
        case .p521:
            guard let key = try? P521.KeyAgreement.PrivateKey(derRepresentation: der) else { throw .notP521 }
            self = .p521(key)
        case .x25519:
            guard let seed = PrivateKeyMaterial.seed(der, of: .x25519),
                let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: seed)
            else { throw .unusable }
            self = .x25519(key)
        case .ed25519:
            throw .notForDecryption
        case nil:
            throw .unsupportedKeyType
        }
    }

    /// The key management algorithm that this kind of key serves.
    var keyManagement: KeyManagementAlgorithm {
        switch self {
        case .rsa: .rsaOAEP256
        case .p256, .p384, .p521, .x25519: .ecdhES
        }
    }

    /// The required members of the public key.
    var publicMembers: JSONObject {
        switch self {
        case .rsa(let key):
            key.publicMembers
        case .p256(let key):
            PrivateKeyMaterial.ellipticCurve("P-256", point: Array(key.publicKey.rawRepresentation))
        case .p384(let key):
            PrivateKeyMaterial.ellipticCurve("P-384", point: Array(key.publicKey.rawRepresentation))
        case .p521(let key):
            PrivateKeyMaterial.ellipticCurve("P-521", point: Array(key.publicKey.rawRepresentation))
        case .x25519(let key):
            ["kty": "OKP", "crv": "X25519", "x": .string(Base64URL.encode(key.publicKey.rawRepresentation))]
        }
    }

    /// Whether the sender's ephemeral key is on the curve of this key.
    func isOnSameCurve(as ephemeralKey: EphemeralKey) -> Bool {
        switch (self, ephemeralKey) {
        case (.p256, .p256), (.p384, .p384), (.p521, .p521), (.x25519, .x25519): true
        default: false
        }
    }

    /// The result of a key agreement (RFC 7518 section 4.6), or `nil` if the curves differ or there is no secret.
    func sharedSecret(with ephemeralKey: EphemeralKey) -> [UInt8]? {
        switch (self, ephemeralKey) {
        case (.p256(let key), .p256(let share)):
            (try? key.sharedSecretFromKeyAgreement(with: share))?.withUnsafeBytes { Array($0) }
        case (.p384(let key), .p384(let share)):
            (try? key.sharedSecretFromKeyAgreement(with: share))?.withUnsafeBytes { Array($0) }
        case (.p521(let key), .p521(let share)):
            (try? key.sharedSecretFromKeyAgreement(with: share))?.withUnsafeBytes { Array($0) }
        case (.x25519(let key), .x25519(let share)):
            // With a share of low order the secret is zero whatever the key is (RFC 7748 section 6.1). The library does not
            // refuse it.
            ((try? key.sharedSecretFromKeyAgreement(with: share))?.withUnsafeBytes { Array($0) })
                .flatMap { ConstantTime.equal($0, [UInt8](repeating: 0, count: $0.count)) ? nil : $0 }
        default:
            nil
        }
    }
}
