// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AccountsError {
    /// The maximum length of a detail that is shown, in bytes.
    private static let longestDetail = 512
    /// The maximum length of its words, in bytes: no token fits.
    private static let longestWord = 39
    private static let longestName = 64
    /// The maximum length of the reason against a new account, in bytes.
    private static let longestReason = 200

    /// Creates the error of a message of the server: a name, or a name and a detail behind exactly space, colon, space.
    init(message: String) {
        let name = message.utf8.prefix(Self.longestName).prefix(while: Self.isNamePart)
        let rest = message.utf8.dropFirst(name.count)
        let separator = " : ".utf8
        let code = Self.code(String(Substring(name)), of: message)
        let detail = rest.starts(with: separator) ? rest.dropFirst(separator.count) : nil
        self.init(code, message: detail.flatMap { code == .newAccountRefused ? Self.reason($0) : Self.shown($0) })
    }

    /// Creates the error in the link of a sign-in in a browser.
    /// - Parameter event: The JSON text, with `code` and `message`.
    init(event: String) {
        let members = (try? JSONDecoder().decode([String: String].self, from: Data(event.utf8))) ?? [:]
        let code = members["code"].flatMap { $0.utf8.count <= Self.longestName ? Self.eventCodes[$0] : nil }
        self.init(code ?? .unexpectedResponse, message: members["message"].flatMap { Self.shown(Substring($0).utf8) })
    }

    private static func code(_ name: String, of message: String) -> Code {
        // The only message of the server that is no name.
        if message.utf8.starts(with: "API key not valid".utf8) { return .invalidAPIKey }
        return codes[name] ?? .unexpectedResponse
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    /// A detail that may be shown; `nil` for one that is long, is not plain, or has a word as long as a token.
    private static func shown(_ detail: Substring.UTF8View) -> String? {
        let space = UInt8(ascii: " ")
        guard !detail.isEmpty, detail.count <= longestDetail, detail.allSatisfy({ (space...0x7E).contains($0) }),
            detail.split(separator: space).allSatisfy({ $0.count <= longestWord })
        else { return nil }
        return String(Substring(detail))
    }

    /// The reason against a new account, in any language; `nil` if it is long or has control characters.
    private static func reason(_ detail: Substring.UTF8View) -> String? {
        guard (1...longestReason).contains(detail.count), detail.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return nil
        }
        return String(Substring(detail))
    }

    private static let eventCodes: [String: Code] = [
        "auth/user-cancelled": .userCanceled,
        "auth/invalid-credential": .invalidCredential,
        "auth/operation-not-allowed": .operationNotAllowed,
        "auth/invalid-oauth-provider": .operationNotAllowed,
        "auth/argument-error": .invalidArgument,
        "auth/network-request-failed": .networkUnavailable,
        "auth/internal-error": .networkUnavailable,
    ]

    private static let codes: [String: Code] = [
        "FEDERATED_USER_ID_ALREADY_LINKED": .credentialAlreadyInUse,
        "EMAIL_EXISTS": .emailAlreadyInUse,
        "PROVIDER_ALREADY_LINKED": .providerAlreadyLinked,
        "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce,
        "INVALID_IDP_RESPONSE": .invalidCredential,
        "INVALID_PENDING_TOKEN": .invalidCredential,
        "INVALID_CREDENTIAL_OR_PROVIDER_ID": .invalidCredential,
        // The credential of a re-authentication belongs to no account.
        "EMAIL_NOT_FOUND": .userMismatch,
        "TOKEN_EXPIRED": .sessionExpired,
        "INVALID_ID_TOKEN": .sessionExpired,
        "USER_NOT_FOUND": .userNotFound,
        "USER_DISABLED": .userDisabled,
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin,
        "OPERATION_NOT_ALLOWED": .operationNotAllowed,
        "ADMIN_ONLY_OPERATION": .operationNotAllowed,
        "INVALID_PROVIDER_ID": .operationNotAllowed,
        "BLOCKING_FUNCTION_ERROR_RESPONSE": .newAccountRefused,
        "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyAttempts,
        "INVALID_ARGUMENT": .invalidArgument,
        "PERMISSION_DENIED": .invalidAPIKey,
    ]
}
