// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

extension PrivateKeyMaterial {
    /// Reads the kind of key that `algorithm` signs with.
    ///
    /// - Throws: ``SigningKeyError``, which says what kind of key is required.
    init(_ block: PEMPrivateKey, for algorithm: JSONWebAlgorithm) throws(SigningKeyError) {
        let der = block.der
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
            // The "unsafe" initializer differs only in accepting short keys, which are refused below with an error of
            // their own.
            guard let key = try? _RSA.Signing.PrivateKey(unsafeDERRepresentation: der) else { throw .notRSA }
            guard (2048...8192).contains(key.keySizeInBits) else { throw .unsupportedKeySize }
            self = .rsa(key)
        case .es256:
            guard block.kind == .p256, let key = try? P256.Signing.PrivateKey(derRepresentation: der) else {
                throw .notP256
            }
            self = .p256(key)
        case .es384:
            guard block.kind == .p384, let key = try? P384.Signing.PrivateKey(derRepresentation: der) else {
                throw .notP384
            }
            self = .p384(key)
        case .es512:
            guard block.kind == .p521, let key = try? P521.Signing.PrivateKey(derRepresentation: der) else {
                throw .notP521
            }
            self = .p521(key)
        case .eddsa, .ed25519:
            guard let seed = Self.seed(der, of: .ed25519),
                let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
            else { throw .notEd25519 }
            self = .ed25519(key)
        case .hs256, .hs384, .hs512:
            throw .symmetricAlgorithm
        }
    }

    /// The 32 bytes of an Ed25519 or X25519 key in PKCS#8 (RFC 8410 section 7), with or without the public key after it.
    ///
    /// All lengths before the seed are fixed, so they are compared rather than parsed. swift-crypto does not read such
    /// a block.
    static func seed(_ der: [UInt8], of kind: PEMPrivateKey.Kind) -> ArraySlice<UInt8>? {
        // version 0 or 1; SEQUENCE { OID 1.3.101.112 or 110 }; OCTET STRING { OCTET STRING of 32 }
        let head: [UInt8] = [
            0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, kind == .x25519 ? 0x6E : 0x70, 0x04, 0x22, 0x04, 0x20,
        ]
        guard der.count >= 48, der.count < 130, der[0] == 0x30, Int(der[1]) == der.count - 2,
            der[2] == 0x02, der[3] == 0x01, der[4] <= 1, der[5..<16].elementsEqual(head)
        else { return nil }
        return der[16..<48]
    }
}
