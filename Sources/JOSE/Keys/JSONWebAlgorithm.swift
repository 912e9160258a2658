// SPDX-License-Identifier: Apache-2.0

/// A signature algorithm by its registered name (RFC 7518 section 3.1, RFC 8037 section 3.1, RFC 9864).
///
/// `none` is deliberately not a case. The HMAC algorithms are kept apart from the others: a party that can verify an
/// HMAC can also forge it, and a public key must never be used as an HMAC key (RFC 8725 section 3.1). They are served
/// only by a ``SharedSecretKey``, never by a key of a ``KeySet``; see ``isSymmetric``.
package enum JSONWebAlgorithm: String, Sendable, Hashable, RegisteredName {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512.
    case ps512 = "PS512"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
    /// ECDSA with P-384 and SHA-384.
    case es384 = "ES384"
    /// ECDSA with P-521 and SHA-512.
    case es512 = "ES512"
    /// Ed25519 by the name of RFC 8037, which leaves the curve to the key.
    case eddsa = "EdDSA"
    /// Ed25519 by the name of RFC 9864 section 2.2: the same signatures and keys as ``eddsa``.
    case ed25519 = "Ed25519"
    /// HMAC with SHA-256 under a shared secret.
    case hs256 = "HS256"
    /// HMAC with SHA-384 under a shared secret.
    case hs384 = "HS384"
    /// HMAC with SHA-512 under a shared secret.
    case hs512 = "HS512"

    /// Whether signing and verifying use the same secret, as in the HMAC algorithms.
    package var isSymmetric: Bool {
        switch self {
        case .hs256, .hs384, .hs512: true
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .eddsa, .ed25519: false
        }
    }

    /// Whether two names denote one algorithm: they are equal, or are `EdDSA` and `Ed25519`, the only EdDSA curve here.
    package func isSame(as other: JSONWebAlgorithm) -> Bool {
        self == other || (isEd25519 && other.isEd25519)
    }

    /// The names of the same algorithm: both of Ed25519, otherwise the algorithm alone.
    package var names: Set<JSONWebAlgorithm> { isEd25519 ? [.eddsa, .ed25519] : [self] }

    private var isEd25519: Bool { self == .eddsa || self == .ed25519 }

    /// The names of algorithms that are registered and not supported here, for messages.
    package static let unsupportedNames: Set<String> = [
        "ES256K", "Ed448", "ESP256", "ESP384", "ESP512", "ESB256", "ESB384", "ESB512", "ML-DSA-44", "ML-DSA-65",
        "ML-DSA-87", "SLH-DSA-SHA2-128s", "SLH-DSA-SHAKE-128s", "SLH-DSA-SHA2-128f",
    ]

    /// All algorithms whose signatures are verified with a public key.
    package static let asymmetric = Set(allCases.filter { !$0.isSymmetric })
}
