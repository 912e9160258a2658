// SPDX-License-Identifier: Apache-2.0

/// Why a text gives no signing key. Holds no part of the text.
package enum SigningKeyError: String, Error, Hashable, CustomStringConvertible {
    /// No `-----BEGIN PRIVATE KEY-----` or `-----BEGIN EC PRIVATE KEY-----` block, or one that is cut short.
    case notPEM = "no PEM private key"
    /// The key is encrypted with a passphrase.
    case encrypted = "the PEM private key is encrypted"
    /// The block does not hold a P-256 private key.
    case notP256 = "not a P-256 private key"
    /// The cryptographic library could not make or use the key.
    case unusable = "unusable key"

    package var description: String { rawValue }
}
