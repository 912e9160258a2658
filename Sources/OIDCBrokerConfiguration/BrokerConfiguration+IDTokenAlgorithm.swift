// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// The algorithm of the signatures of an app's ID tokens (RFC 7518 section 3.1): `auth.app.<name>.id-token-algorithm`.
    public enum IDTokenAlgorithm: String, Sendable, Hashable {
        /// RSASSA-PKCS1-v1_5 with SHA-256, which an OpenID Provider's metadata must list (OpenID Connect Discovery 1.0
        /// section 3) and which clients expect unless they registered another algorithm (OpenID Connect Dynamic Client
        /// Registration 1.0 section 2).
        case rs256 = "RS256"
        /// ECDSA with P-256 and SHA-256, which costs a small part of the time of an RSA signature.
        case es256 = "ES256"
    }
}
