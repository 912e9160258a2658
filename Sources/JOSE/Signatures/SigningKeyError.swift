// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not a usable private key for signing or decryption. It contains no part of the text.
package enum SigningKeyError: String, Error, Hashable, CustomStringConvertible {
    /// There is no `PRIVATE KEY`, `EC PRIVATE KEY` or `RSA PRIVATE KEY` block, or it is truncated.
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
    /// The RSA key has fewer than 2048 or more than 8192 bits.
    case unsupportedKeySize = "RSA key outside 2048 to 8192 bits"
    /// The block holds a key of an unsupported kind.
    case unsupportedKeyType = "neither an RSA, P-256, P-384, P-521 nor Ed25519 private key"
    /// The block holds a key that cannot decrypt: Ed25519 keys only sign.
    case notForDecryption = "a key that cannot decrypt"
    /// The algorithm is symmetric: it signs with a shared secret, not with a private key.
    case symmetricAlgorithm = "no private key signs with a symmetric algorithm"
    /// The cryptographic library could not create or use the key.
    case unusable = "unusable key"

    package var description: String { rawValue }
}
