// SPDX-License-Identifier: Apache-2.0

/// The reason why an encrypted token was not decrypted. It contains no part of the token.
///
/// Two errors are equal if they have the same reason; the name that was found is informational and not compared.
package struct JSONWebEncryptionError: Error, Hashable, CustomStringConvertible {
    private enum Code: Hashable {
        case malformed(String)
        case keyManagementNotAllowed([KeyManagementAlgorithm])
        case contentEncryptionNotAllowed
        case unknownKey
        case notDecryptable
        case notNested
    }

    private let code: Code

    /// The name that was found, from a closed list.
    private let found: Uncompared<String?>

    private init(_ code: Code, found: String? = nil) {
        self.code = code
        self.found = Uncompared(found)
    }

    /// The token is not a compact JWE, or uses a feature that this module does not allow; the reason is a constant
    /// text.
    package static func malformed(_ reason: String) -> JSONWebEncryptionError {
        JSONWebEncryptionError(.malformed(reason))
    }

    /// `alg` is not a ``KeyManagementAlgorithm``.
    package static let keyManagementNotAllowed = JSONWebEncryptionError(
        .keyManagementNotAllowed(KeyManagementAlgorithm.allCases))

    /// `alg` is another than the one that is registered for the recipient's key.
    package static func keyManagement(
        _ found: KeyManagementAlgorithm, expected: KeyManagementAlgorithm
    ) -> JSONWebEncryptionError {
        JSONWebEncryptionError(.keyManagementNotAllowed([expected]), found: found.rawValue)
    }

    /// `enc` is not a ``ContentEncryptionAlgorithm``.
    package static let contentEncryptionNotAllowed = JSONWebEncryptionError(.contentEncryptionNotAllowed)

    /// No private key is of the kind and on the curve that the token requires. Determined before any key is used.
    package static let unknownKey = JSONWebEncryptionError(.unknownKey)

    /// The token does not decrypt. Padding, lengths, tag and key are deliberately not distinguished (RFC 7516 section
    /// 11.5).
    package static let notDecryptable = JSONWebEncryptionError(.notDecryptable)

    /// The plaintext is not a compact JWS (OpenID Connect Core section 2: signed, then encrypted).
    package static let notNested = JSONWebEncryptionError(.notNested)

    /// The same reason with the name that was found, if it is one of `names`; other text of the token is not repeated.
    func finding(_ name: WireText, among names: [String]) -> JSONWebEncryptionError {
        JSONWebEncryptionError(code, found: names.first { name.hasSameBytes(as: $0) } ?? "an unknown one")
    }

    package var description: String {
        let reason =
            switch code {
            case .malformed(let reason): "malformed encrypted token: \(reason)"
            case .keyManagementNotAllowed(let expected):
                "key management not allowed: expected \(Self.names(expected))"
            case .contentEncryptionNotAllowed:
                "content encryption not allowed: expected \(Self.names(ContentEncryptionAlgorithm.allCases))"
            case .unknownKey: "no decryption key for this token"
            case .notDecryptable: "the token does not decrypt"
            case .notNested: "the encrypted token holds no signed token"
            }
        guard let found = found.value else { return reason }
        return "\(reason), found \(found)"
    }

    private static func names(_ names: [some RegisteredName]) -> String {
        names.map(\.rawValue).joined(separator: ", ")
    }
}
