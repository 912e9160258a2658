// SPDX-License-Identifier: Apache-2.0

/// Why a token's signature was not accepted. Holds no part of the token.
package enum JSONWebSignatureError: Error, Hashable, CustomStringConvertible {
    /// No compact JWS, or one with something this module does not allow; the reason is a constant text.
    case malformed(String)
    /// `alg` is unknown (`none` is), or not among those that the caller allows.
    case algorithmNotAllowed
    /// No key of the set fits `kid` and `alg`. Keys may have been rotated: the one case in which fetching them again helps.
    case unknownKey
    /// A key fits, and did not make this signature.
    case badSignature
    /// The signature holds, and what it signs is no JSON object.
    case payload(JSONError)

    package var description: String {
        switch self {
        case .malformed(let reason): "malformed token: \(reason)"
        case .algorithmNotAllowed: "signature algorithm not allowed"
        case .unknownKey: "no key for this token"
        case .badSignature: "wrong signature"
        case .payload(let error): "claims: \(error)"
        }
    }
}
