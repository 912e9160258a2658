// SPDX-License-Identifier: Apache-2.0

/// The algorithm that conveys a JWE's content encryption key to its recipient: the header's `alg` (RFC 7518 section
/// 4.1).
///
/// Not supported, and refused by name: RSA1_5 (Bleichenbacher's attack), RSA-OAEP (SHA-1), PBES2 (the sender chooses
/// how long it takes), and `dir` and the bare AES key wraps (there is no secret shared with a provider for them).
package enum KeyManagementAlgorithm: String, Sendable, Hashable, RegisteredName {
    /// RSAES OAEP with SHA-256 (RFC 7518 section 4.3).
    case rsaOAEP256 = "RSA-OAEP-256"
    /// Ephemeral-static Diffie-Hellman, whose result is used as the key directly (RFC 7518 section 4.6).
    case ecdhES = "ECDH-ES"
    /// The same, whose result wraps the key with AES-128 (RFC 3394).
    case ecdhESA128KW = "ECDH-ES+A128KW"
    /// The same with AES-192.
    case ecdhESA192KW = "ECDH-ES+A192KW"
    /// The same with AES-256.
    case ecdhESA256KW = "ECDH-ES+A256KW"

    /// The length of the key that wraps the content encryption key, in bytes; `nil` if none does.
    var wrappingKeyByteCount: Int? {
        switch self {
        case .rsaOAEP256, .ecdhES: nil
        case .ecdhESA128KW: 16
        case .ecdhESA192KW: 24
        case .ecdhESA256KW: 32
        }
    }

    /// The registered names that are refused, listed only so that an error can name the one it found.
    static let refusedNames = [
        "RSA1_5", "RSA-OAEP", "RSA-OAEP-384", "RSA-OAEP-512", "dir", "A128KW", "A192KW", "A256KW", "A128GCMKW",
        "A192GCMKW", "A256GCMKW", "PBES2-HS256+A128KW", "PBES2-HS384+A192KW", "PBES2-HS512+A256KW",
    ]
}
