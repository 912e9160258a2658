// SPDX-License-Identifier: Apache-2.0

/// How a JWE's content encryption key reaches its recipient: the header's `alg` (RFC 7518 section 4.1).
///
/// Not in it, and refused by name: RSA1_5 (Bleichenbacher's oracle), RSA-OAEP (SHA-1), PBES2 (the sender chooses how long
/// it takes), `dir` and the key wraps (no secret is shared with a provider for them).
package enum KeyManagementAlgorithm: String, Sendable, Hashable, RegisteredName {
    /// RSAES OAEP with SHA-256 (RFC 7518 section 4.3).
    case rsaOAEP256 = "RSA-OAEP-256"
    /// Ephemeral-static Diffie-Hellman, its result used as the key directly (RFC 7518 section 4.6).
    case ecdhES = "ECDH-ES"

    /// Registered names that are refused; known only so that an error can name what it found.
    static let refusedNames = [
        "RSA1_5", "RSA-OAEP", "RSA-OAEP-384", "RSA-OAEP-512", "dir", "A128KW", "A192KW", "A256KW", "A128GCMKW",
        "A192GCMKW", "A256GCMKW", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW", "PBES2-HS256+A128KW",
        "PBES2-HS384+A192KW", "PBES2-HS512+A256KW",
    ]
}
