// SPDX-License-Identifier: Apache-2.0

import Crypto

/// HKDF with SHA-256 (RFC 5869): several independent keys from one.
package enum KeyDerivation {
    /// Derives bytes from a key, without salt.
    ///
    /// - Parameters:
    ///   - key: Uniform key material, 32 bytes or more.
    ///   - info: What the derived bytes are for; different texts give independent bytes.
    ///   - count: How many bytes; at most 8,160 (255 hash lengths), more are not given.
    package static func derive(key: [UInt8], info: String, count: Int) -> [UInt8] {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key),
            info: Array(info.utf8),
            outputByteCount: min(max(count, 0), 255 * 32))
        return derived.withUnsafeBytes { Array($0) }
    }
}
