// SPDX-License-Identifier: Apache-2.0

/// Why a text gives no private key, neither for signing nor for decrypting. Holds no part of the text.
package enum SigningKeyError: String, Error, Hashable, CustomStringConvertible {
    /// No `PRIVATE KEY`, `EC PRIVATE KEY` or `RSA PRIVATE KEY` block, or one that is cut short.
    case notPEM = "no PEM private key"
    /// The key is encrypted with a passphrase.
    case encrypted = "the PEM private key is encrypted"
    /// The block does not hold a P-256 private key.
    case notP256 = "not a P-256 private key"
    /// The block does not hold a P-384 private key.
    case notP384 = "not a P-384 private key"
    /// The block does not hold a P-521 private key.
    case notP521 = "not a P-521 private key"
    /// The block does not hold an Ed25519 private key.
    case notEd25519 = "not an Ed25519 private key"
    /// The block does not hold an RSA private key.
    case notRSA = "not an RSA private key"
    /// An RSA key of fewer than 2048 or more than 8192 bits.
    case unsupportedKeySize = "RSA key outside 2048 to 8192 bits"
    /// The block holds a key of a kind that is not known here.
    case unsupportedKeyType = "neither an RSA, P-256, P-384, P-521 nor Ed25519 private key"
    /// The block holds a key that cannot decrypt: Ed25519 signs only.
    case notForDecryption = "a key that cannot decrypt"
    /// A symmetric algorithm: it signs with a shared secret, not with a private key.
    case symmetricAlgorithm = "no private key signs with a symmetric algorithm"
    /// The cryptographic library could not make or use the key.
    case unusable = "unusable key"

    package var description: String { rawValue }
}
