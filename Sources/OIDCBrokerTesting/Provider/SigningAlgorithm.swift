// SPDX-License-Identifier: Apache-2.0

package import JOSE

extension OpenIDProvider {
    /// The signature algorithm of a provider's ID tokens.
    public enum SigningAlgorithm: String, Sendable, Hashable {
        /// RSASSA-PKCS1-v1_5 with SHA-256 and a 2048-bit key, which OpenID Connect requires every client to support.
        case rs256 = "RS256"
        /// ECDSA on P-256 with SHA-256, the fastest for signing.
        case es256 = "ES256"
        /// RSASSA-PSS with SHA-256 and a 2048-bit key.
        case ps256 = "PS256"
        /// Ed25519 by the name of RFC 8037.
        case eddsa = "EdDSA"
        /// Ed25519 by the name of RFC 9864.
        case ed25519 = "Ed25519"

        package var algorithm: JSONWebAlgorithm {
            switch self {
            case .rs256: .rs256
            case .es256: .es256
            case .ps256: .ps256
            case .eddsa: .eddsa
            case .ed25519: .ed25519
            }
        }
    }
}
