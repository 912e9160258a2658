// SPDX-License-Identifier: Apache-2.0

/// The reason why the signature of a token was not accepted. It contains no part of the token.
///
/// Two errors are equal if they have the same reason; what was expected and found is informational and not compared.
package struct JSONWebSignatureError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case malformed(String)
        case algorithmNotAllowed
        case unknownKey
        case badSignature
        case payload(JSONError)
    }

    private let code: Code

    /// What was expected and what was found, if the reason alone does not say it.
    private let finding: Uncompared<String?>

    private init(_ code: Code, finding: String? = nil) {
        self.code = code
        self.finding = Uncompared(finding)
    }

    /// The token is not a compact JWS, or uses a feature that this module does not allow; the reason is a constant
    /// text.
    package static func malformed(_ reason: String) -> JSONWebSignatureError {
        JSONWebSignatureError(.malformed(reason))
    }

    /// `alg` is unknown (`none` is), or not among those that the caller allows, or not of the kind that the caller's
    /// key serves.
    package static let algorithmNotAllowed = JSONWebSignatureError(.algorithmNotAllowed)

    /// No key of the set has the token's `kid` and fits its `alg`. The keys may have been rotated: fetching them again
    /// may help.
    package static let unknownKey = JSONWebSignatureError(.unknownKey)

    /// A key fits, but it did not make this signature.
    package static let badSignature = JSONWebSignatureError(.badSignature)

    /// The signature is valid, but the payload is not a JSON object.
    package static func payload(_ error: JSONError) -> JSONWebSignatureError {
        JSONWebSignatureError(.payload(error))
    }

    /// The same reason with what was expected and what was found.
    ///
    /// - Parameters:
    ///   - wanted: What the caller expects: the algorithms that it allows, the keys that it trusts.
    ///   - found: What the token has, as a name from a closed list and never as text of the token.
    func wanting(_ wanted: String, found: String) -> JSONWebSignatureError {
        JSONWebSignatureError(code, finding: "expected \(wanted), found \(found)")
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
        guard let finding = finding.value else { return reason }
        return "\(reason): \(finding)"
    }
}
