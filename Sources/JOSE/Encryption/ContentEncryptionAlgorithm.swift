// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The algorithm that encrypts the content of a JWE: the header's `enc` (RFC 7518 section 5.3).
package enum ContentEncryptionAlgorithm: String, Sendable, Hashable, RegisteredName {
    /// AES-GCM with a 128-bit key.
    case a128GCM = "A128GCM"
    /// AES-GCM with a 256-bit key.
    case a256GCM = "A256GCM"

    /// The length of an initialization vector, in bytes.
    static let initializationVectorByteCount = 12

    /// The length of an authentication tag, in bytes.
    static let tagByteCount = 16

    /// The length of the key, in bytes.
    var keyByteCount: Int {
        switch self {
        case .a128GCM: 16
        case .a256GCM: 32
        }
    }

    /// The registered names that are refused, listed only so that an error can name the one it found.
    static let refusedNames = ["A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512", "A192GCM"]

    /// Decrypts a ciphertext.
    ///
    /// - Parameter key: The key. The caller ensures that it has ``keyByteCount`` bytes, since AES-GCM accepts several
    ///   lengths.
    /// - Returns: The plaintext, or `nil` if a length or the tag is wrong, without saying which.
    func open(
        _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], initializationVector: [UInt8],
        authenticating additionalData: ArraySlice<UInt8>
    ) -> [UInt8]? {
        guard initializationVector.count == Self.initializationVectorByteCount, tag.count == Self.tagByteCount,
            let nonce = try? AES.GCM.Nonce(data: initializationVector),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag),
            let plaintext = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: additionalData)
        else { return nil }
        return Array(plaintext)
    }

    /// Encrypts a plaintext with a new random initialization vector.
    func seal(
        _ plaintext: [UInt8], key: [UInt8], authenticating additionalData: [UInt8]
    ) throws -> (initializationVector: [UInt8], ciphertext: [UInt8], tag: [UInt8]) {
        let box = try AES.GCM.seal(plaintext, using: SymmetricKey(data: key), authenticating: additionalData)
        return (Array(box.nonce), Array(box.ciphertext), Array(box.tag))
    }
}
