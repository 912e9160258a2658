// SPDX-License-Identifier: Apache-2.0

import Crypto

/// AES-256-GCM (NIST SP 800-38D) with a random nonce. A sealed box is nonce (12), ciphertext, tag (16).
package enum AuthenticatedEncryption {
    /// The length of a nonce, in bytes.
    package static let nonceByteCount = 12

    /// What a sealed box is longer than its plaintext, in bytes.
    package static let overheadByteCount = 28

    /// Seals bytes under a nonce drawn for them.
    ///
    /// - Parameters:
    ///   - plaintext: What to seal.
    ///   - key: The key. Random nonces allow 2^32 boxes under one key.
    ///   - aad: Bytes that are bound to the box without being in it.
    /// - Returns: nonce, ciphertext, tag.
    /// - Throws: ``AuthenticatedEncryptionError`` for a key of the wrong length.
    package static func seal(
        _ plaintext: [UInt8], key: SealingSecret, authenticating aad: [UInt8]
    ) throws -> [UInt8] {
        try seal(plaintext, key: key, nonce: SecureRandom.bytes(nonceByteCount), authenticating: aad)
    }

    /// Seals bytes under a given nonce, for a caller that draws all its random bytes at once.
    ///
    /// - Parameters:
    ///   - plaintext: The bytes to seal.
    ///   - key: The key.
    ///   - nonce: 12 random bytes that were never used with this key: a nonce used twice gives the key away.
    ///   - aad: The bytes that are bound to the box and are not in it.
    package static func seal(
        _ plaintext: [UInt8], key: SealingSecret, nonce: [UInt8], authenticating aad: [UInt8]
    ) throws -> [UInt8] {
        guard key.isUsable, nonce.count == nonceByteCount else { throw AuthenticatedEncryptionError.wrongLength }
        let box = try AES.GCM.seal(
            plaintext, using: key.key, nonce: AES.GCM.Nonce(data: nonce), authenticating: aad)
        guard let combined = box.combined else { throw AuthenticatedEncryptionError.wrongLength }
        return Array(combined)
    }

    /// Opens a sealed box.
    ///
    /// - Returns: The plaintext, or `nil` if the box, the key or the bound bytes are others than at sealing. Why is not
    ///   told, so that nobody can ask.
    package static func open(
        _ box: [UInt8], key: SealingSecret, authenticating aad: [UInt8]
    ) -> [UInt8]? {
        guard key.isUsable, box.count >= overheadByteCount, let sealed = try? AES.GCM.SealedBox(combined: box),
            let plaintext = try? AES.GCM.open(sealed, using: key.key, authenticating: aad)
        else { return nil }
        return Array(plaintext)
    }
}
