// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The hash of a token or a code in an ID token: `at_hash` and `c_hash` (Core sections 3.1.3.6 and 3.3.2.11).
package enum TokenHash {
    /// Returns the base64url of the left half of the hash of the algorithm. For EdDSA with Ed25519, by either name,
    /// that is SHA-512.
    package static func leftHalf(of token: String, algorithm: JSONWebAlgorithm) -> String {
        let digest: [UInt8] =
            switch algorithm {
            case .rs256, .ps256, .es256, .hs256: Hash.sha256(token.utf8)
            case .rs384, .ps384, .es384, .hs384: Hash.sha384(token.utf8)
            case .rs512, .ps512, .es512, .eddsa, .ed25519, .hs512: Hash.sha512(token.utf8)
            }
        return Base64URL.encode(digest[..<(digest.count / 2)])
    }
}
