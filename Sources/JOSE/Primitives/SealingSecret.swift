// SPDX-License-Identifier: Apache-2.0

import Crypto

/// A key for ``AuthenticatedEncryption``: 32 bytes.
///
/// Prints as nothing but its name; the bytes cannot be read back.
package struct SealingSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length that AES-256 asks for, in bytes.
    package static let byteCount = 32

    let key: SymmetricKey

    /// - Parameter bytes: The key, ``byteCount`` bytes. With any other length nothing is sealed or opened.
    package init(bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
    }

    /// Whether the key has the length that AES-256 asks for.
    var isUsable: Bool { key.bitCount == Self.byteCount * 8 }

    package var description: String { "SealingSecret" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
