// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// What a client makes of every error of the server.
struct ErrorTests {
    static let codes: [(String, AccountsError.Code)] = [
        ("FEDERATED_USER_ID_ALREADY_LINKED", .credentialAlreadyInUse),
        ("EMAIL_EXISTS", .emailAlreadyInUse),
        ("PROVIDER_ALREADY_LINKED", .providerAlreadyLinked),
        ("MISSING_OR_INVALID_NONCE : Hash it.", .missingOrInvalidNonce),
        ("INVALID_IDP_RESPONSE : The ID token could not be verified (signature).", .invalidCredential),
        ("INVALID_PENDING_TOKEN", .invalidCredential),
        ("INVALID_CREDENTIAL_OR_PROVIDER_ID : Send providerId in postBody.", .invalidCredential),
        ("EMAIL_NOT_FOUND", .userMismatch),
        ("TOKEN_EXPIRED", .sessionExpired),
        ("INVALID_ID_TOKEN : idToken is not an ID token.", .sessionExpired),
        ("USER_NOT_FOUND", .userNotFound),
        ("USER_DISABLED", .userDisabled),
        ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .requiresRecentLogin),
        ("OPERATION_NOT_ALLOWED : The app may not use the provider.", .operationNotAllowed),
        ("ADMIN_ONLY_OPERATION", .operationNotAllowed),
        ("INVALID_PROVIDER_ID : Provider Id is not supported.", .operationNotAllowed),
        ("BLOCKING_FUNCTION_ERROR_RESPONSE : Only for members.", .newAccountRefused),
        ("TOO_MANY_ATTEMPTS_TRY_LATER", .tooManyAttempts),
        ("INVALID_ARGUMENT : displayName has at most 256 characters.", .invalidArgument),
        ("PERMISSION_DENIED : Pass the API key of an app as the parameter key.", .invalidAPIKey),
        ("API key not valid. Please pass a valid API key.", .invalidAPIKey),
        ("INVALID_REFRESH_TOKEN", .unexpectedResponse),
        ("SOMETHING_NEW : Do this.", .unexpectedResponse),
        ("", .unexpectedResponse),
        ("USER_DISABLEDX", .unexpectedResponse),
    ]

    @Test(arguments: codes) func `each error of the server has a code`(message: String, code: AccountsError.Code) {
        let body = Data(#"{"error":{"code":400,"message":"\#(message)"}}"#.utf8)
        let error = #expect(throws: AccountsError.self) {
            try WireResponse(status: 400, body: body).decoded(as: EmptyResponse.self)
        }
        #expect(error?.code == code)
    }

    @Test(arguments: codes) func `only three codes end a session`(message: String, code: AccountsError.Code) {
        let ends = [AccountsError.Code.sessionExpired, .userNotFound, .userDisabled].contains(code)
        #expect(AccountsError(code).endsSession == ends)
    }

    @Test func `a detail is shown, but none that a token could be in`() {
        #expect(AccountsError(message: "USER_DISABLED : Ask the operator.").message == "Ask the operator.")
        #expect(AccountsError(message: "USER_DISABLED").message == nil)
        #expect(AccountsError(message: "USER_DISABLED : ").message == nil)
        #expect(AccountsError(message: "USER_DISABLED: Ask.").message == nil)
        let token = String(repeating: "t", count: 40)
        #expect(AccountsError(message: "USER_DISABLED : The token \(token) is.").message == nil)
        #expect(AccountsError(message: "USER_DISABLED : \u{202E}").message == nil)
        #expect(AccountsError(message: "USER_DISABLED : " + String(repeating: "a ", count: 300)).message == nil)
        #expect(AccountsError(message: String(repeating: "A", count: 100_000)).code == .unexpectedResponse)
    }

    @Test func `the reason against a new account is shown in any language, within its limit`() {
        func shown(_ reason: String) -> String? {
            AccountsError(message: "BLOCKING_FUNCTION_ERROR_RESPONSE : " + reason).message
        }
        let (word, longest) = (String(repeating: "t", count: 40), String(repeating: "\u{E9}", count: 100))
        for reason in ["Nur f\u{FC}r Mitglieder.", "\u{4F1A}\u{54E1}\u{9650}\u{5B9A}", word, longest] {
            #expect(shown(reason) == reason)
        }
        for reason in ["", "a\u{7}b", "a\nb", "a\u{7F}b", longest + "x"] { #expect(shown(reason) == nil) }
    }

    struct Unreadable: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        let code: AccountsError.Code
        var testDescription: String { "\(status) \(body)" }
    }

    static let unreadable = [
        Unreadable(status: 503, body: "", code: .networkUnavailable),
        Unreadable(status: 502, body: "<html>Bad Gateway</html>", code: .networkUnavailable),
        Unreadable(status: 504, body: "", code: .networkUnavailable),
        // A failure of the server has no meaningful JSON.
        Unreadable(status: 503, body: #"{"error":{"message":"USER_DISABLED"}}"#, code: .networkUnavailable),
        Unreadable(status: 500, body: #"{"error":{"message":"USER_DISABLED"}}"#, code: .unexpectedResponse),
        Unreadable(status: 429, body: "", code: .tooManyAttempts),
        Unreadable(status: 404, body: "Not Found", code: .unexpectedResponse),
        Unreadable(status: 400, body: #"{"error":"USER_DISABLED"}"#, code: .unexpectedResponse),
        Unreadable(status: 302, body: "", code: .unexpectedResponse),
        Unreadable(status: 204, body: "", code: .unexpectedResponse),
        Unreadable(status: 200, body: "", code: .unexpectedResponse),
        Unreadable(status: 200, body: "[]", code: .unexpectedResponse),
        Unreadable(status: 200, body: "{", code: .unexpectedResponse),
    ]

    @Test(arguments: unreadable) func `what is no response of the server`(row: Unreadable) {
        let error = #expect(throws: AccountsError.self) {
            try WireResponse(status: row.status, body: Data(row.body.utf8)).decoded(as: EmptyResponse.self)
        }
        #expect(error?.code == row.code)
    }
}
