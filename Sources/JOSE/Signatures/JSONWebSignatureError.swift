// SPDX-License-Identifier: Apache-2.0

/// Why a token's signature was not accepted: what was wanted and what was found, and no part of the token.
///
/// Two errors are equal if they say the same reason; what was wanted and found is for a person, and not compared.
package struct JSONWebSignatureError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case malformed(String)
        case algorithmNotAllowed
        case unknownKey
        case badSignature
        case payload(JSONError)
    }

    private let code: Code

    /// What was wanted and what was found, where the reason alone does not tell.
    private let finding: String?

    private init(_ code: Code, finding: String? = nil) {
        self.code = code
        self.finding = finding
    }

    /// No compact JWS, or one with something this module does not allow; the reason is a constant text.
    package static func malformed(_ reason: String) -> JSONWebSignatureError {
        JSONWebSignatureError(.malformed(reason))
    }

    /// `alg` is unknown (`none` is), or not among those that the caller allows, or not of the kind that the caller's key
    /// serves.
    package static let algorithmNotAllowed = JSONWebSignatureError(.algorithmNotAllowed)

    /// No key of the set fits `kid` and `alg`. Keys may have been rotated: the one case in which fetching them again helps.
    package static let unknownKey = JSONWebSignatureError(.unknownKey)

    /// A key fits, and did not make this signature.
    package static let badSignature = JSONWebSignatureError(.badSignature)

    /// The signature holds, and what it signs is no JSON object.
    package static func payload(_ error: JSONError) -> JSONWebSignatureError {
        JSONWebSignatureError(.payload(error))
    }

    /// The same reason with what was wanted and what was found.
    ///
    /// - Parameters:
    ///   - wanted: From the caller's side: the algorithms that it allows, the keys that it trusts.
    ///   - found: What the token has, as a name out of a closed list; never a text of the token's.
    func wanting(_ wanted: String, found: String) -> JSONWebSignatureError {
        JSONWebSignatureError(code, finding: "wanted \(wanted), found \(found)")
    }

    package var description: String {
        let reason =
            switch code {
            case .malformed(let reason): "malformed token: \(reason)"
            case .algorithmNotAllowed: "signature algorithm not allowed"
            case .unknownKey: "no key for this token"
            case .badSignature: "wrong signature"
            case .payload(let error): "claims: \(error)"
            }
        guard let finding else { return reason }
        return "\(reason): \(finding)"
    }

    package static func == (left: JSONWebSignatureError, right: JSONWebSignatureError) -> Bool {
        left.code == right.code
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}
