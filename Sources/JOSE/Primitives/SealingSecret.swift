// SPDX-License-Identifier: Apache-2.0

import Crypto

/// A 32-byte key for ``AuthenticatedEncryption``.
///
/// Printing it shows only its type. The bytes cannot be read back.
package struct SealingSecret: Sendable, Unprinted {
    /// The length of an AES-256 key, in bytes.
    package static let byteCount = 32

    let key: SymmetricKey

    /// - Parameter bytes: The key, ``byteCount`` bytes. A key of any other length seals and opens nothing.
    package init(bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
    }

    /// Whether the key has the length of an AES-256 key.
    var isUsable: Bool { key.bitCount == Self.byteCount * 8 }
}
