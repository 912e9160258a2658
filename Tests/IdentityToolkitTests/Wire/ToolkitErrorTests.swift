// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// The texts that the SDKs map to their own codes.
struct ToolkitErrorTests {
    private static let texts: Set<String> = [
        "ADMIN_ONLY_OPERATION", "API key not valid. Please pass a valid API key.", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
        "EMAIL_EXISTS", "EMAIL_NOT_FOUND", "FEDERATED_USER_ID_ALREADY_LINKED", "INVALID_ARGUMENT",
        "INVALID_CREDENTIAL_OR_PROVIDER_ID", "INVALID_GRANT_TYPE", "INVALID_IDP_RESPONSE", "INVALID_ID_TOKEN",
        "INVALID_PENDING_TOKEN", "INVALID_PROVIDER_ID", "INVALID_REFRESH_TOKEN", "INVALID_REQUEST_URI",
        "MISSING_GRANT_TYPE", "MISSING_IDENTIFIER", "MISSING_ID_TOKEN", "MISSING_OR_INVALID_NONCE",
        "MISSING_REFRESH_TOKEN", "MISSING_REQUEST_URI", "OPERATION_NOT_ALLOWED", "PERMISSION_DENIED",
        "PROVIDER_ALREADY_LINKED", "TOKEN_EXPIRED", "TOO_MANY_ATTEMPTS_TRY_LATER", "UNSUPPORTED_TENANT_OPERATION",
        "USER_DISABLED", "USER_NOT_FOUND", "CLAIMS_TOO_LARGE", "DUPLICATE_LOCAL_ID", "INSUFFICIENT_PERMISSION",
        "INVALID_CLAIMS", "INVALID_DURATION", "MISSING_LOCAL_ID", "FORBIDDEN_CLAIM", "UNAUTHENTICATED",
        "BLOCKING_FUNCTION_ERROR_RESPONSE",
    ]

    /// The statuses that are not 400.
    private static let statuses: [ToolkitError.Code: Int] = [
        .unauthenticated: 401, .permissionDenied: 403, .insufficientPermission: 403,
    ]

    private func text(_ error: ToolkitError) -> String { String(decoding: error.envelope, as: UTF8.self) }

    @Test func `no text ever changes`() {
        #expect(Set(ToolkitError.Code.allCases.map(\.rawValue)) == Self.texts)
    }

    @Test(arguments: ToolkitError.Code.allCases)
    func `every error has the envelope`(code: ToolkitError.Code) throws {
        for error in [ToolkitError(code), ToolkitError(code, "Do it.")] {
            let all = try WireSupport.object(error.envelope)
            let object = try #require(all["error"]?.objectValue)
            #expect(all.count == 1)
            #expect(object["code"] == .number(JSONNumber(Int64(error.status))))
            #expect(object["message"] == .string(error.message))
            let entries = try #require(object["errors"]?.arrayValue)
            #expect(entries.count == 1)
            let entry = try #require(entries.first?.objectValue)
            #expect(entry["message"] == .string(error.message))
            #expect(entry["domain"] == "global")
            #expect(error.message.utf8.starts(with: code.rawValue.utf8))
            #expect(error.status == Self.statuses[code] ?? 400)
        }
    }

    @Test func `the detail is behind space, colon, space`() {
        #expect(
            text(ToolkitError(.operationNotAllowed, #"Say "x""#))
                == #"{"error":{"code":400,"message":"OPERATION_NOT_ALLOWED : Say \"x\"","#
                + #""errors":[{"message":"OPERATION_NOT_ALLOWED : Say \"x\"","domain":"global","reason":"invalid"}]}}"#)
        #expect(
            text(ToolkitError(.tokenExpired))
                == #"{"error":{"code":400,"message":"TOKEN_EXPIRED","#
                + #""errors":[{"message":"TOKEN_EXPIRED","domain":"global","reason":"invalid"}]}}"#)
    }

    @Test func `what is compared as a whole is always the same`() {
        #expect(ToolkitError.unsupportedProvider.message == "INVALID_PROVIDER_ID : Provider Id is not supported.")
        #expect(ToolkitError(.invalidProviderID, "other").message == ToolkitError.unsupportedProvider.message)
        #expect(ToolkitError.unknownKey.message == "API key not valid. Please pass a valid API key.")
        #expect(ToolkitError(.apiKeyNotValid, "other").message == ToolkitError.unknownKey.message)
    }

    @Test func `no key and an unknown key`() throws {
        let missing = try #require(try WireSupport.object(ToolkitError.missingKey.envelope)["error"]?.objectValue)
        #expect(missing["code"] == 403)
        #expect(missing["status"] == "PERMISSION_DENIED")
        let unknown = try #require(try WireSupport.object(ToolkitError.unknownKey.envelope)["error"]?.objectValue)
        #expect(unknown["code"] == 400)
        #expect(unknown["status"] == nil)
        #expect(unknown["errors"]?.arrayValue?.first?.objectValue?["reason"] == "keyInvalid")
    }

    @Test func `only an operation that is not offered is told so`() {
        #expect(ToolkitError.unsupportedOperation.code == .operationNotAllowed)
    }

    // MARK: Responses

    @Test(arguments: ToolkitOperation.allCases)
    func `too many attempts sign no user out`(operation: ToolkitOperation) {
        let response = BrokerResponse(ToolkitError(.tooManyAttempts), for: operation)
        if operation == .lookup || operation == .token {
            #expect(response.isUnavailable && response.body.readableBytes == 0)
        } else {
            #expect(response.head.status.code == 400)
            #expect(response.head.headerFields[.contentType] == "application/json")
            #expect(response.head.headerFields[.retryAfter] == nil)
            #expect(Array(response.body.readableBytesView) == ToolkitError(.tooManyAttempts).envelope)
        }
        #expect(BrokerResponse(ToolkitError(.tokenExpired), for: operation).head.status.code == 400)
        #expect(BrokerResponse(.missingKey, for: operation).head.status.code == 403)
    }

    @Test func `a failure is an empty 503 that is not JSON`() {
        let response = BrokerResponse.unavailable(retryAfter: 7)
        #expect(response.head.status.code == 503)
        #expect(response.head.headerFields[.contentType] == "text/plain")
        #expect(response.body.readableBytes == 0)
        #expect(response.head.headerFields[.retryAfter] == "7")
    }

    // MARK: Refusals

    private static let refusals: [AccountRefusal.Code: ToolkitError.Code] = [
        .unknown: .userNotFound, .noNewAccounts: .adminOnlyOperation, .needConfirmation: .emailExists,
        .disabled: .userDisabled, .used: .invalidIdpResponse, .sessionEnded: .tokenExpired,
        .signInTooOld: .credentialTooOld, .belongsToAnother: .federatedUserIDAlreadyLinked,
        .alreadyLinked: .providerAlreadyLinked, .emailBelongsToAnother: .emailExists,
        .tooManyIdentities: .operationNotAllowed, .lastIdentity: .operationNotAllowed,
        .invalidValue: .invalidArgument, .verificationOutdated: .invalidIdpResponse,
        .blocked: .blockingFunctionErrorResponse,
    ]

    @Test(arguments: ToolkitOperation.allCases)
    func `each refusal has a code in each operation`(operation: ToolkitOperation) {
        for refusal in AccountRefusal.Code.Value.allCases.map({ AccountRefusal.Code($0) }) {
            // Never what signs the user out, where a credential is only unknown.
            let expected: ToolkitError.Code? =
                refusal == .unknown && operation == .signInWithIdp ? .emailNotFound : Self.refusals[refusal]
            #expect(ToolkitError(refusal, in: operation).code == expected, "\(refusal)")
        }
    }

    @Test func `a refusal that can be mended says how`() {
        #expect(ToolkitError(.lastIdentity, in: .update).message.contains("delete the account instead"))
        #expect(ToolkitError(.verificationOutdated, in: .signInWithIdp).message.contains("verify again"))
        #expect(ToolkitError(.tooManyIdentities, in: .signInWithIdp).message.contains("20"))
        for refusal in AccountRefusal.Code.Value.allCases.map({ AccountRefusal.Code($0) }) {
            let parts = ToolkitError(refusal, in: .signInWithIdp).message.split(separator: ":")
            #expect(parts.count <= 2, "\(refusal)")
        }
    }
}
