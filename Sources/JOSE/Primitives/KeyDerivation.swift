// SPDX-License-Identifier: Apache-2.0

import Crypto

/// HKDF with SHA-256 (RFC 5869), which derives independent keys from one key.
package enum KeyDerivation {
    /// Derives bytes from a key, without salt.
    ///
    /// - Parameters:
    ///   - key: Uniformly random key material of at least 32 bytes.
    ///   - info: The purpose of the derived bytes. Different texts give independent bytes.
    ///   - count: The number of bytes, at most 8,160 (255 hash lengths); a larger number gives 8,160.
    package static func derive(key: [UInt8], info: String, count: Int) -> [UInt8] {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key),
            info: Array(info.utf8),
            outputByteCount: min(max(count, 0), 255 * 32))
        return derived.withUnsafeBytes { Array($0) }
    }
}
