// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import OIDCBrokerRecords
import OpenIDConnect

/// Why a login at the handler page has no ticket, as the SDKs know it: `error` of an event, and `firebaseError`.
struct HandlerFailure: Sendable, Hashable {
    /// The code, by the text that the SDKs map to their own errors.
    enum Code: String, Sendable, Hashable, CaseIterable {
        /// The user, or the provider for them, said no.
        case userCancelled = "auth/user-cancelled"
        /// The provider is not available.
        case networkRequestFailed = "auth/network-request-failed"
        /// What came from the provider could not be verified, or it refused.
        case invalidCredential = "auth/invalid-credential"
        /// A failure of this server.
        case internalError = "auth/internal-error"
        /// The start asks for what the configuration does not allow.
        case operationNotAllowed = "auth/operation-not-allowed"
        /// The start names no provider, or one that is not configured.
        case invalidOAuthProvider = "auth/invalid-oauth-provider"
        /// A parameter of the start cannot be read.
        case argumentError = "auth/argument-error"
    }

    /// The code.
    let code: Code
    /// A sentence for the developer of the app. Of a request it has at most the name of a parameter or of a scope.
    let message: String

    init(_ code: Code, message: String? = nil) {
        self.code = code
        self.message = message ?? Self.message(of: code)
    }

    private static func message(of code: Code) -> String {
        switch code {
        case .userCancelled: "The user did not sign in."
        case .networkRequestFailed: "The provider is not available."
        case .invalidCredential: "The sign-in could not be verified."
        case .internalError: "The server could not complete the sign-in."
        case .operationNotAllowed: "The configuration does not allow it."
        case .invalidOAuthProvider: "The provider is not configured."
        case .argumentError: "A parameter cannot be read."
        }
    }

    /// The members `code` and `message`.
    var members: JSONObject { ["code": .string(code.rawValue), "message": .string(message)] }
}

extension HandlerFailure {
    /// What the app is told of a start that is refused.
    init(_ error: HandlerStartError) {
        code =
            switch (error.code, error.parameter) {
            case (.missing, .providerID?), (.unknown, .providerID?): .invalidOAuthProvider
            case (.notAllowed, _), (.unsupported, _): .operationNotAllowed
            default: .argumentError
            }
        message = "\(error)"
    }

    /// What the app is told of the outcome of a callback.
    init(_ outcome: Outcome) {
        switch outcome {
        case .cancelled: self.init(.userCancelled)
        case .providerUnavailable: self.init(.networkRequestFailed)
        // RFC 6749 section 4.1.2.1.
        case .refused(let error, _) where Self.passing.contains(where: { error.code.hasSameBytes(as: $0) }):
            self.init(.networkRequestFailed)
        case .requirementNotMet: self.init(.operationNotAllowed, message: "The user may not use the app.")
        case .refused, .failed, .sharedCallbackPath, .unreadable, .unexpectedSubject, .missingOrInvalidNonce,
            .repeatedCredential, .misdirected:
            self.init(.invalidCredential)
        case .signedIn, .continuing, .reposting, .readingFragment, .notNavigation, .prefetch, .reservedForFirebase,
            .unknownState, .expired, .otherBrowser, .duplicateCookie, .alreadyFinished, .changed, .storeUnavailable,
            .tooManyHandOffs, .tooManyOfProvider, .tooManyFromAddress, .tooManyCallbacks, .handlerFailed,
            .accountRefused, .accountNeedsInteraction, .accountsUnavailable, .unusableClaims, .missingAuthTime:
            self.init(.internalError)
        }
    }

    /// The errors with which a provider says that it cannot now.
    private static let passing = ["temporarily_unavailable", "server_error"]
}
