// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

/// AES-CBC with HMAC (RFC 7518 section 5.2): the content is encrypted, and then authenticated.
///
/// The tag is compared, in constant time, before anything is decrypted, so that the padding of a changed ciphertext is
/// never looked at.
struct AuthenticatedCBC: Sendable {
    private let algorithm: ContentEncryptionAlgorithm
    private let authenticationKey: SymmetricKey
    private let encryptionKey: SymmetricKey

    /// - Parameter key: The key of the algorithm: its first half authenticates, and its second half encrypts.
    init(_ algorithm: ContentEncryptionAlgorithm, key: [UInt8]) {
        self.algorithm = algorithm
        authenticationKey = SymmetricKey(data: key.prefix(key.count / 2))
        encryptionKey = SymmetricKey(data: key.suffix(key.count / 2))
    }

    /// Decrypts a ciphertext; `nil` if it is not authentic.
    func open(
        _ ciphertext: [UInt8], tag: [UInt8], initializationVector: [UInt8],
        authenticating additionalData: ArraySlice<UInt8>
    ) -> [UInt8]? {
        // The library takes a last block that is not whole.
        guard ciphertext.count.isMultiple(of: 16),
            ConstantTime.equal(tag, self.tag(ciphertext, initializationVector, additionalData)),
            let vector = try? AES._CBC.IV(ivBytes: initializationVector),
            let plaintext = try? AES._CBC.decrypt(ciphertext, using: encryptionKey, iv: vector)
        else { return nil }
        return Array(plaintext)
    }

    /// Encrypts a plaintext.
    func seal(
        _ plaintext: [UInt8], initializationVector: [UInt8], authenticating additionalData: ArraySlice<UInt8>
    ) throws -> (ciphertext: [UInt8], tag: [UInt8]) {
        let vector = try AES._CBC.IV(ivBytes: initializationVector)
        let ciphertext = Array(try AES._CBC.encrypt(plaintext, using: encryptionKey, iv: vector))
        return (ciphertext, tag(ciphertext, initializationVector, additionalData))
    }

    /// The first half of the code over the additional data, the vector, the ciphertext, and the length of the additional
    /// data in bits.
    private func tag(
        _ ciphertext: [UInt8], _ vector: [UInt8], _ additionalData: ArraySlice<UInt8>
    ) -> [UInt8] {
        let length = withUnsafeBytes(of: UInt64(additionalData.count * 8).bigEndian) { Array($0) }
        let input = additionalData + vector + ciphertext + length
        let code: [UInt8] =
            switch algorithm {
            case .a192CBCHS384: Array(HMAC<SHA384>.authenticationCode(for: input, using: authenticationKey))
            case .a256CBCHS512: Array(HMAC<SHA512>.authenticationCode(for: input, using: authenticationKey))
            default: Array(HMAC<SHA256>.authenticationCode(for: input, using: authenticationKey))
            }
        return Array(code.prefix(algorithm.tagByteCount))
    }
}
