// SPDX-License-Identifier: Apache-2.0

package import Admission
package import OpenIDConnect
package import OpenIDRelyingParty

/// The result of a callback or a presented credential. The list is closed: switches over it determine the response, the
/// metric label and the log line.
package enum Outcome: Sendable, Hashable {
    /// The credential was handed off, with a 303 that carries a code.
    case signedIn
    /// The credential waits for the user's "Continue to APP".
    case continuing
    /// The browser withheld the cookie from a `form_post` response, and the page with the same-origin form was
    /// returned.
    case reposting
    /// The response is in the fragment of the URL, and the page that submits it was returned.
    case readingFragment
    /// The user, or the provider on their behalf, declined.
    case cancelled
    /// The provider responded with another OAuth error.
    ///
    /// With the relying party's error, it is the response to a login of this browser, which the state and the cookie
    /// tell. Without it, it may be of any origin.
    case refused(ProviderError, of: RelyingPartyError? = nil)
    /// The provider is unavailable.
    case providerUnavailable(RelyingPartyError)
    /// A request to the provider or the validation of the ID token failed.
    case failed(RelyingPartyError)
    /// The provider does not announce `iss` and shares its callback path.
    case sharedCallbackPath
    /// The request is not a navigation to a page.
    case notNavigation
    /// The browser prefetched the page.
    case prefetch
    /// The parameters cannot be read.
    case unreadable(String)
    /// The request is a start of an SDK, and no extension handles those.
    case reservedForFirebase
    /// The state was not sealed by this broker.
    case unknownState
    /// The login has expired.
    case expired
    /// The login's cookie is missing.
    case otherBrowser
    /// The login's cookie is duplicate.
    case duplicateCookie
    /// The login returned already.
    case alreadyFinished
    /// The provider or the app was changed since the login began.
    case changed
    /// The callback was sent to another path, or in another response mode, than requested.
    case misdirected(String? = nil)
    /// The single-use store is full or unavailable.
    case storeUnavailable
    /// The limit on credentials of this user that wait for redemption is reached.
    case tooManyHandOffs
    /// The limit on credentials from this provider that wait for redemption is reached.
    case tooManyOfProvider
    /// The client address has exceeded its limits. The login can be continued later.
    case tooManyFromAddress(ClientExcess)
    /// Too many callbacks wait for providers. The login can be continued in a moment.
    case tooManyCallbacks
    /// The handler of an app of kind `in-process` failed or took too long.
    case handlerFailed(String)
    /// Another user signed in than the app named.
    case unexpectedSubject
    /// The claims of the user are not those that the app requires.
    case requirementNotMet(String)
    /// A claim that the app gets of this provider is too long, or the provider does not send it itself.
    case unusableClaims(String)
    /// The provider does not say when the user signed in, which the app must know.
    case missingAuthTime
    /// A presented ID token has no nonce, or not the one that the app kept.
    case missingOrInvalidNonce
    /// A presented ID token was presented before.
    case repeatedCredential
    /// The account of the user is disabled, or there is none and none may be made.
    case accountRefused
    /// The user has to do something before the sign-in can enter an account.
    case accountNeedsInteraction
    /// It cannot be decided now which account the sign-in enters.
    case accountsUnavailable(String)

    /// The metric label, and `auth.outcome` in the log.
    package var label: String {
        switch self {
        case .signedIn: "signed_in"
        case .continuing: "continuing"
        case .reposting: "reposting"
        case .readingFragment: "reading_fragment"
        case .cancelled: "cancelled"
        case .refused: "refused_by_provider"
        case .providerUnavailable: "provider_unavailable"
        case .failed(let error): "failed_\(error.step)"
        case .sharedCallbackPath: "shared_callback_path"
        case .notNavigation: "not_navigation"
        case .prefetch: "prefetch"
        case .unreadable: "unreadable"
        case .reservedForFirebase: "reserved_for_firebase"
        case .unknownState: "unknown_state"
        case .expired: "expired"
        case .otherBrowser: "other_browser"
        case .duplicateCookie: "duplicate_cookie"
        case .alreadyFinished: "already_finished"
        case .changed: "changed"
        case .misdirected: "misdirected"
        case .storeUnavailable: "store_unavailable"
        case .tooManyHandOffs: "too_many_hand_offs"
        case .tooManyOfProvider: "too_many_of_provider"
        case .tooManyFromAddress: "too_many_from_address"
        case .tooManyCallbacks: "too_many_callbacks"
        case .handlerFailed: "handler_failed"
        case .unexpectedSubject: "unexpected_subject"
        case .requirementNotMet: "requirement_not_met"
        case .unusableClaims: "unusable_claims"
        case .missingAuthTime: "missing_auth_time"
        case .missingOrInvalidNonce: "missing_or_invalid_nonce"
        case .repeatedCredential: "repeated_credential"
        case .accountRefused: "account_refused"
        case .accountNeedsInteraction: "account_needs_interaction"
        case .accountsUnavailable: "accounts_unavailable"
        }
    }

    /// The detail for the log; `nil` if there is none. It never contains a secret.
    package var detail: String? {
        switch self {
        case .refused(let error, let failure): failure?.description ?? error.code
        case .misdirected(let reason): reason
        case .providerUnavailable(let error), .failed(let error): error.description
        case .unreadable(let reason), .handlerFailed(let reason), .accountsUnavailable(let reason),
            .requirementNotMet(let reason), .unusableClaims(let reason):
            reason
        case .tooManyFromAddress(let excess): excess.kind.rawValue
        case .sharedCallbackPath:
            "the provider does not announce 'iss' and shares its callback path: give it a 'callback-path' of its own, or "
                + "set 'sends-issuer' if it sends 'iss' anyway"
        default: nil
        }
    }

    /// The error for the app once the client ID and redirect URI are known to match (RFC 6749 section 4.1.2.1, OpenID
    /// Connect Core 1.0 section 3.1.2.6); `nil` if the user agent gets a page in any case.
    package var error: AppError? {
        switch self {
        case .cancelled:
            AppError("access_denied", "The user did not sign in.")
        case .refused(let error, _) where Self.passedOn.contains(error.code):
            AppError(error.code, "The provider must ask the user.")
        case .refused(let error, _) where error.code == "temporarily_unavailable":
            AppError("temporarily_unavailable", "The provider is not available.")
        case .refused:
            AppError("server_error", "The provider refused.")
        case .providerUnavailable:
            AppError("temporarily_unavailable", "The provider is not available.")
        case .unexpectedSubject:
            AppError("login_required", "The user who signed in is not the one that the request names.")
        case .requirementNotMet:
            AppError("access_denied", "The user may not use the app.")
        case .unusableClaims(let reason):
            AppError("server_error", "A claim cannot be passed to the app: \(reason).")
        case .missingAuthTime:
            AppError("server_error", "The provider does not send auth_time, which the request requires.")
        case .failed, .sharedCallbackPath:
            AppError("server_error", "The sign-in could not be verified.")
        case .storeUnavailable:
            AppError("temporarily_unavailable", "The broker is not available.")
        case .tooManyHandOffs:
            AppError("temporarily_unavailable", "Too many sign-ins of this user were not redeemed.")
        case .tooManyOfProvider:
            AppError("temporarily_unavailable", "Too many sign-ins at this provider were not redeemed.")
        case .accountRefused:
            AppError("access_denied", "The user has no account that may sign in.")
        case .accountNeedsInteraction:
            AppError(
                "interaction_required",
                "The user must sign in as before and link this provider there, or sign in again.")
        case .accountsUnavailable:
            AppError("temporarily_unavailable", "The accounts are not available.")
        default:
            nil
        }
    }

    /// Whether the provider refused a request of the broker's, other than for the user. An operator should see it.
    package var isRefusedRequest: Bool {
        guard case .refused(let error, .some) = self else { return false }
        return !Self.passedOn.contains(error.code)
    }

    private static let passedOn: Set<String> = [
        "login_required", "interaction_required", "consent_required", "account_selection_required",
    ]
}

/// An OAuth error for an app.
package struct AppError: Error, Sendable, Hashable {
    /// The registered code.
    package let code: String
    /// A sentence for the developer of the app. It never contains a value of a request.
    package let errorDescription: String

    /// - Parameters:
    ///   - code: The registered code.
    ///   - errorDescription: A sentence for the developer of the app, without any value of a request.
    package init(_ code: String, _ errorDescription: String) {
        self.code = code
        self.errorDescription = errorDescription
    }

    /// The app requested no pages, but the user would have to see one (OpenID Connect Core 1.0 section 3.1.2.6).
    package static let interactionRequired = AppError(
        "interaction_required", "This sign-in cannot be completed without showing a page to the user.")

    /// The login of the app took too long. The words are those of Keycloak, after which its clients start again by
    /// themselves.
    package static let expiredLogin = AppError("temporarily_unavailable", "authentication_expired")

    /// The app asks in a frame, in which no sign-in is begun (OpenID Connect Core 1.0 section 3.1.2.6).
    package static let loginRequired = AppError(
        "login_required", "A user signs in only in a window of the browser, not in a frame.")

    /// A public app sent no `code_challenge` (RFC 9700 section 2.1.1).
    package static let missingChallenge = AppError(
        "invalid_request", "code_challenge is missing: PKCE with S256 is required.")

    /// A confidential app sent nothing that binds its code to the request, as its `code-binding` requires it.
    package static let unboundCode = AppError(
        "invalid_request",
        "code_challenge is missing. Turn PKCE (S256) on in the app, or let the broker's operator set code-binding of the "
            + "app: nonce, if the app sends a nonce, or none.")

    /// The provider is configured without a client ID.
    package static let nativeOnly = AppError(
        "invalid_request", "This provider has no client-id: it accepts native credentials only.")
}

extension Outcome {
    /// The outcome of an error of the relying party.
    package init(of error: RelyingPartyError) {
        self = error.isTemporary ? .providerUnavailable(error) : .failed(error)
    }

    /// The outcome of an error from the authorization endpoint. `user_cancelled_authorize` is Apple's own code.
    /// - Parameter failure: The relying party's error, if the response is that of a login of this browser.
    package init(of error: ProviderError, _ failure: RelyingPartyError? = nil) {
        let isCancelled = error.code == "access_denied" || error.code == "user_cancelled_authorize"
        self = isCancelled ? .cancelled : .refused(error, of: failure)
    }
}
