// SPDX-License-Identifier: Apache-2.0

import Crypto

/// AES-256-GCM (NIST SP 800-38D) with random nonces. A sealed box consists of the nonce (12 bytes), the ciphertext and
/// the tag (16 bytes).
package enum AuthenticatedEncryption {
    /// The length of a nonce, in bytes.
    package static let nonceByteCount = 12

    /// The difference between the length of a sealed box and that of its plaintext, in bytes.
    package static let overheadByteCount = 28

    /// Seals bytes under a new random nonce.
    ///
    /// - Parameters:
    ///   - plaintext: The bytes to seal.
    ///   - key: The key. With random nonces, at most 2^32 boxes may be sealed under one key.
    ///   - aad: Bytes that are authenticated with the box without being part of it.
    /// - Returns: The nonce, the ciphertext and the tag.
    /// - Throws: ``AuthenticatedEncryptionError`` if the key has the wrong length.
    package static func seal(
        _ plaintext: [UInt8], key: SealingSecret, authenticating aad: [UInt8]
    ) throws -> [UInt8] {
        try seal(plaintext, key: key, nonce: SecureRandom.bytes(nonceByteCount), authenticating: aad)
    }

    /// Seals bytes under the given nonce, for a caller that draws all its random bytes at once.
    ///
    /// - Parameters:
    ///   - plaintext: The bytes to seal.
    ///   - key: The key.
    ///   - nonce: 12 random bytes that have never been used with this key. Using a nonce twice
    ///     compromises the key.
    ///   - aad: The bytes that are bound to the box and are not in it.
    package static func seal(
        _ plaintext: [UInt8], key: SealingSecret, nonce: [UInt8], authenticating aad: [UInt8]
    ) throws -> [UInt8] {
        guard key.isUsable, nonce.count == nonceByteCount else { throw AuthenticatedEncryptionError.wrongLength }
        let box = try AES.GCM.seal(
            plaintext, using: key.key, nonce: AES.GCM.Nonce(data: nonce), authenticating: aad)
        guard let combined = box.combined else { throw AuthenticatedEncryptionError.wrongLength }
        return combined.withContiguousBytes { Array($0) }
    }

    /// Opens a sealed box.
    ///
    /// - Returns: The plaintext, or `nil` if the box, the key or the additional data is not the one of the sealing. The
    ///   reason is not given, so that an attacker cannot learn it.
    package static func open(
        _ box: [UInt8], key: SealingSecret, authenticating aad: [UInt8]
    ) -> [UInt8]? {
        guard key.isUsable, box.count >= overheadByteCount, let sealed = try? AES.GCM.SealedBox(combined: box),
            let plaintext = try? AES.GCM.open(sealed, using: key.key, authenticating: aad)
        else { return nil }
        return plaintext.withContiguousBytes { Array($0) }
    }
}

/// The reason why bytes could not be sealed.
package enum AuthenticatedEncryptionError: Error, Hashable {
    /// The key is not 32 bytes long, or the given nonce is not 12 bytes long.
    case wrongLength
}
