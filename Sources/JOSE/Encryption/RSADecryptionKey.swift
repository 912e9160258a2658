// SPDX-License-Identifier: Apache-2.0

import CryptoExtras

/// An RSA private key that decrypts, on any number of threads at once.
///
/// `@unchecked` because swift-crypto 4 marks `_RSA.Signing.PrivateKey` as `Sendable` but not
/// `_RSA.Encryption.PrivateKey`. Both hold the same single member, a `BoringSSLRSAPrivateKey`, which is `Sendable`: a
/// reference to an `EVP_PKEY` that never changes after its initializer, and whose private operation BoringSSL documents
/// as safe for concurrent callers. `key` is a private `let` that only ``decrypt(_:)`` reads.
struct RSADecryptionKey: @unchecked Sendable {
    private let key: _RSA.Encryption.PrivateKey

    /// The required members of the public key.
    let publicMembers: JSONObject

    /// - Throws: ``SigningKeyError/unsupportedKeySize`` if the key does not have 2048 to 8192 bits.
    init(_ key: _RSA.Encryption.PrivateKey) throws {
        guard (2048...8192).contains(key.keySizeInBits) else { throw SigningKeyError.unsupportedKeySize }
        let primitives = try key.publicKey.getKeyPrimitives()
        publicMembers = PrivateKeyMaterial.rsa(modulus: primitives.modulus, exponent: primitives.publicExponent)
        self.key = key
    }

    /// RSAES-OAEP-DECRYPT with SHA-256 (RFC 8017 section 7.1.2).
    ///
    /// - Returns: `nil` if decryption fails, without saying why.
    func decrypt(_ encrypted: [UInt8]) -> [UInt8]? {
        (try? key.decrypt(encrypted, padding: .PKCS1_OAEP_SHA256)).map { Array($0) }
    }
}
