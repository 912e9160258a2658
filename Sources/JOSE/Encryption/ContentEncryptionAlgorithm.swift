// SPDX-License-Identifier: Apache-2.0

import Crypto

/// How a JWE's content is encrypted: the header's `enc` (RFC 7518 section 5.3).
package enum ContentEncryptionAlgorithm: String, Sendable, Hashable, RegisteredName {
    /// AES-GCM with a key of 128 bits.
    case a128GCM = "A128GCM"
    /// AES-GCM with a key of 256 bits.
    case a256GCM = "A256GCM"

    /// The length of an initialization vector, in bytes.
    static let initializationVectorByteCount = 12

    /// The length of an authentication tag, in bytes.
    static let tagByteCount = 16

    /// The key's length, in bytes.
    var keyByteCount: Int {
        switch self {
        case .a128GCM: 16
        case .a256GCM: 32
        }
    }

    /// Registered names that are refused; known only so that an error can name what it found.
    static let refusedNames = ["A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512", "A192GCM"]

    /// Opens a ciphertext.
    ///
    /// - Parameter key: ``keyByteCount`` bytes; the caller has seen to that, AES-GCM would take any of its lengths.
    /// - Returns: The plaintext, or `nil` if a length or the tag is wrong. Which, is not told.
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

    /// Seals a plaintext under an initialization vector drawn for it.
    func seal(
        _ plaintext: [UInt8], key: [UInt8], authenticating additionalData: [UInt8]
    ) throws -> (initializationVector: [UInt8], ciphertext: [UInt8], tag: [UInt8]) {
        let box = try AES.GCM.seal(plaintext, using: SymmetricKey(data: key), authenticating: additionalData)
        return (Array(box.nonce), Array(box.ciphertext), Array(box.tag))
    }
}
