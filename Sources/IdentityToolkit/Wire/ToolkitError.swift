// SPDX-License-Identifier: Apache-2.0

import JOSE

/// An error that a client gets. The SDKs map the text of its code to their own codes, so no text ever changes.
///
/// `USER_NOT_FOUND`, `TOKEN_EXPIRED`, `USER_DISABLED` and `INVALID_ID_TOKEN` end the session in the SDK: they are for a
/// session that is dead, and for nothing else. A temporary failure is ``BrokerResponse/unavailable(retryAfter:)``.
struct ToolkitError: Error, Sendable, Hashable {
    /// The code of an error, by its text.
    enum Code: String, Sendable, Hashable, CaseIterable {
        case adminOnlyOperation = "ADMIN_ONLY_OPERATION"
        /// The text is the whole message, as clients know it.
        case apiKeyNotValid = "API key not valid. Please pass a valid API key."
        /// The server that decides about new accounts refused one, and the detail is the reason.
        case blockingFunctionErrorResponse = "BLOCKING_FUNCTION_ERROR_RESPONSE"
        /// The claims of an operator are too long.
        case claimsTooLarge = "CLAIMS_TOO_LARGE"
        case credentialTooOld = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
        /// An operator makes an account with the identifier of another one.
        case duplicateLocalID = "DUPLICATE_LOCAL_ID"
        case emailExists = "EMAIL_EXISTS"
        /// The account does not exist and none may be made. Unlike ``userNotFound`` it leaves the user signed in.
        case emailNotFound = "EMAIL_NOT_FOUND"
        case federatedUserIDAlreadyLinked = "FEDERATED_USER_ID_ALREADY_LINKED"
        /// A claim of an operator has a reserved name, which is the detail.
        case forbiddenClaim = "FORBIDDEN_CLAIM"
        /// An operator asks for another project, or an app for what only an operator may change.
        case insufficientPermission = "INSUFFICIENT_PERMISSION"
        case invalidArgument = "INVALID_ARGUMENT"
        /// The claims of an operator cannot be read.
        case invalidClaims = "INVALID_CLAIMS"
        case invalidCredentialOrProviderID = "INVALID_CREDENTIAL_OR_PROVIDER_ID"
        /// The lifetime of a session cookie of an operator.
        case invalidDuration = "INVALID_DURATION"
        case invalidGrantType = "INVALID_GRANT_TYPE"
        case invalidIDToken = "INVALID_ID_TOKEN"
        case invalidIdpResponse = "INVALID_IDP_RESPONSE"
        case invalidPendingToken = "INVALID_PENDING_TOKEN"
        /// The detail is fixed, since the SDK for C++ compares the whole message.
        case invalidProviderID = "INVALID_PROVIDER_ID"
        case invalidRefreshToken = "INVALID_REFRESH_TOKEN"
        case invalidRequestURI = "INVALID_REQUEST_URI"
        case missingGrantType = "MISSING_GRANT_TYPE"
        case missingIDToken = "MISSING_ID_TOKEN"
        case missingIdentifier = "MISSING_IDENTIFIER"
        /// An operator names no account.
        case missingLocalID = "MISSING_LOCAL_ID"
        case missingOrInvalidNonce = "MISSING_OR_INVALID_NONCE"
        case missingRefreshToken = "MISSING_REFRESH_TOKEN"
        case missingRequestURI = "MISSING_REQUEST_URI"
        case operationNotAllowed = "OPERATION_NOT_ALLOWED"
        /// There is no API key.
        case permissionDenied = "PERMISSION_DENIED"
        case providerAlreadyLinked = "PROVIDER_ALREADY_LINKED"
        case tokenExpired = "TOKEN_EXPIRED"
        case tooManyAttempts = "TOO_MANY_ATTEMPTS_TRY_LATER"
        /// A request for an admin operation does not have the token.
        case unauthenticated = "UNAUTHENTICATED"
        case unsupportedTenantOperation = "UNSUPPORTED_TENANT_OPERATION"
        case userDisabled = "USER_DISABLED"
        case userNotFound = "USER_NOT_FOUND"
    }

    /// The code.
    let code: Code
    /// What to do, for a developer; `nil` if the code says it. It holds no secret, no email and no received text but
    /// the reason of the server that decides about new accounts.
    let detail: String?

    /// Creates an error. Codes with a fixed message have no other detail.
    init(_ code: Code, _ detail: String? = nil) {
        self.code = code
        switch code {
        case .invalidProviderID: self.detail = "Provider Id is not supported."
        case .apiKeyNotValid: self.detail = nil
        default: self.detail = detail
        }
    }

    /// The request has no API key.
    static let missingKey = ToolkitError(.permissionDenied, "Pass the API key of an app as the parameter key.")
    /// No app has the API key.
    static let unknownKey = ToolkitError(.apiKeyNotValid)
    /// The project has no such provider.
    static let unsupportedProvider = ToolkitError(.invalidProviderID)
    /// The SDKs know the operation, and it is not offered here.
    static let unsupportedOperation = ToolkitError(
        .operationNotAllowed, "This server signs users in with OpenID Providers only.")

    /// The HTTP status.
    var status: Int {
        switch code {
        case .unauthenticated: 401
        case .permissionDenied, .insufficientPermission: 403
        default: 400
        }
    }

    /// The name of the status (google.rpc.Code), where the code does not say it; `nil` for the usual one.
    private var statusName: String? {
        switch code {
        case .permissionDenied, .insufficientPermission: Code.permissionDenied.rawValue
        case .unauthenticated: code.rawValue
        default: nil
        }
    }

    /// The code and the detail. The SDKs split it at exactly space, colon, space.
    var message: String { detail.map { "\(code.rawValue) : \($0)" } ?? code.rawValue }

    /// The body of the response: the envelope that all SDKs read.
    var envelope: [UInt8] {
        let entry: JSONObject = ["message": .string(message), "domain": "global", "reason": .string(reason)]
        var error: JSONObject = [
            "code": .number(JSONNumber(Int64(status))), "message": .string(message),
            "errors": .array([.object(entry)]),
        ]
        error["status"] = statusName.map { .string($0) }
        return (["error": .object(error)] as JSONObject).serialized()
    }

    private var reason: String {
        switch code {
        case .apiKeyNotValid: "keyInvalid"
        case .permissionDenied, .insufficientPermission: "forbidden"
        default: "invalid"
        }
    }
}
