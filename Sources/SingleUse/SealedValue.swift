// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The format of the values in a ``SingleUseStore``: its number (1 byte), nonce (12), AES-256-GCM ciphertext and tag
/// (16). The additional data has the number and the key of the entry, so that a value belongs to one place.
///
/// Replicas of two neighboring versions share a store. A version that brings another format opens this one too, and goes
/// on writing it.
package enum SealedValue {
    private static let format: UInt8 = 1

    /// Seals a value for a place; `nil` if the cipher fails.
    /// - Parameter nonce: 12 random bytes that were never used before.
    package static func seal(
        _ plaintext: [UInt8], with secret: SealingSecret, at key: SingleUseKey,
        nonce: [UInt8] = SecureRandom.bytes(AuthenticatedEncryption.nonceByteCount)
    ) -> [UInt8]? {
        guard
            let sealed = try? AuthenticatedEncryption.seal(
                plaintext, key: secret, nonce: nonce, authenticating: [format] + key.bytes)
        else { return nil }
        return [format] + sealed
    }

    /// Opens a value; `nil` if it was not sealed with this secret for this place, or in a format that is not known.
    package static func open(_ value: [UInt8], with secret: SealingSecret, at key: SingleUseKey) -> [UInt8]? {
        guard value.first == format else { return nil }
        return AuthenticatedEncryption.open(
            Array(value.dropFirst()), key: secret, authenticating: [format] + key.bytes)
    }
}
