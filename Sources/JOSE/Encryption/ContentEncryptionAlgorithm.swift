// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The algorithm that encrypts the content of a JWE: the header's `enc` (RFC 7518 sections 5.2 and 5.3).
package enum ContentEncryptionAlgorithm: String, Sendable, Hashable, RegisteredName {
    /// AES-GCM with a 128-bit key.
    case a128GCM = "A128GCM"
    /// AES-GCM with a 192-bit key.
    case a192GCM = "A192GCM"
    /// AES-GCM with a 256-bit key.
    case a256GCM = "A256GCM"
    /// AES-CBC with a 128-bit key, and HMAC with SHA-256. It is the default of OpenID Connect where a client is registered
    /// with a key management algorithm alone.
    case a128CBCHS256 = "A128CBC-HS256"
    /// AES-CBC with a 192-bit key, and HMAC with SHA-384.
    case a192CBCHS384 = "A192CBC-HS384"
    /// AES-CBC with a 256-bit key, and HMAC with SHA-512.
    case a256CBCHS512 = "A256CBC-HS512"

    /// The length of the key, in bytes. That of AES-CBC with HMAC has a half for each.
    var keyByteCount: Int {
        switch self {
        case .a128GCM: 16
        case .a192GCM: 24
        case .a256GCM, .a128CBCHS256: 32
        case .a192CBCHS384: 48
        case .a256CBCHS512: 64
        }
    }

    /// Whether the content is encrypted with AES-CBC, and authenticated with HMAC.
    private var isCBC: Bool {
        switch self {
        case .a128GCM, .a192GCM, .a256GCM: false
        case .a128CBCHS256, .a192CBCHS384, .a256CBCHS512: true
        }
    }

    /// The length of an initialization vector, in bytes.
    var initializationVectorByteCount: Int { isCBC ? 16 : 12 }

    /// The length of an authentication tag, in bytes.
    var tagByteCount: Int { isCBC ? keyByteCount / 2 : 16 }

    /// Decrypts a ciphertext.
    ///
    /// - Parameter key: The key. The caller ensures that it has ``keyByteCount`` bytes, since AES accepts several lengths.
    /// - Returns: The plaintext, or `nil` if a length or the tag is wrong, without saying which.
    func open(
        _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], initializationVector: [UInt8],
        authenticating additionalData: ArraySlice<UInt8>
    ) -> [UInt8]? {
        guard initializationVector.count == initializationVectorByteCount, tag.count == tagByteCount else { return nil }
        guard !isCBC else {
            return AuthenticatedCBC(self, key: key).open(
                ciphertext, tag: tag, initializationVector: initializationVector, authenticating: additionalData)
        }
        guard let nonce = try? AES.GCM.Nonce(data: initializationVector),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag),
            let plaintext = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: additionalData)
        else { return nil }
        return Array(plaintext)
    }

    /// Encrypts a plaintext with a new random initialization vector.
    func seal(
        _ plaintext: [UInt8], key: [UInt8], authenticating additionalData: [UInt8]
    ) throws -> (initializationVector: [UInt8], ciphertext: [UInt8], tag: [UInt8]) {
        guard !isCBC else {
            let vector = SecureRandom.bytes(initializationVectorByteCount)
            let sealed = try AuthenticatedCBC(self, key: key).seal(
                plaintext, initializationVector: vector, authenticating: additionalData[...])
            return (vector, sealed.ciphertext, sealed.tag)
        }
        let box = try AES.GCM.seal(plaintext, using: SymmetricKey(data: key), authenticating: additionalData)
        return (Array(box.nonce), Array(box.ciphertext), Array(box.tag))
    }
}
