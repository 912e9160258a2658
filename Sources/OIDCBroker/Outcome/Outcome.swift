// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect
package import OpenIDRelyingParty

/// Every way a callback can end. A closed list: a switch over it picks the response, the metric label and the log line.
package enum Outcome: Sendable, Hashable {
    /// The credential was handed off: 303 with a code.
    case signedIn
    /// The credential waits for the person's "Continue to APP".
    case continuing
    /// The browser withheld the cookie of a form_post: the same-origin form was shown.
    case reposting
    /// The answer stands in the URL's fragment: the page that brings it was shown.
    case readingFragment
    /// The person, or the provider on their behalf, said no.
    case cancelled
    /// The provider answered with another OAuth error.
    case refused(ProviderError)
    /// The provider, or the way to it, is down.
    case providerUnavailable(RelyingPartyError)
    /// A step failed, or the ID token did.
    case failed(RelyingPartyError)
    /// The provider does not announce `iss` and shares its callback path.
    case sharedCallbackPath
    /// The request is not a navigation to a page.
    case notNavigation
    /// The browser only looked ahead.
    case prefetch
    /// The parameters cannot be read.
    case unreadable(String)
    /// A request of the Firebase SDKs, whose own wire comes later.
    case reservedForFirebase
    /// The state was not sealed here.
    case unknownState
    /// The state is older than a login may be.
    case expired
    /// The login's cookie is not there.
    case otherBrowser
    /// The login's cookie is there twice.
    case duplicateCookie
    /// The login returned already.
    case alreadyFinished
    /// Provider or app were changed since the login began.
    case changed
    /// The callback came to another path, or in another response mode, than was asked for.
    case misdirected
    /// The store of what may be used once is full, or cannot be reached.
    case storeUnavailable
    /// As many credentials of this person wait for their apps as may.
    case tooManyHandOffs
    /// As many credentials from this provider wait for their apps as may.
    case tooManyOfProvider
    /// The client's address has taken as much as one may; the login goes on when it is tried again.
    case tooManyFromAddress(ClientExcess)
    /// An ID token that an app brought has no nonce, or not the one that the app kept.
    case missingOrInvalidNonce
    /// An ID token that an app brought was brought before.
    case repeatedCredential

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
        case .missingOrInvalidNonce: "missing_or_invalid_nonce"
        case .repeatedCredential: "repeated_credential"
        }
    }

    /// What went wrong, for the log; never holds a secret.
    package var detail: String? {
        switch self {
        case .refused(let error): error.code
        case .providerUnavailable(let error), .failed(let error): error.description
        case .unreadable(let reason): reason
        case .tooManyFromAddress(let excess): excess.kind.rawValue
        case .sharedCallbackPath:
            "the provider does not announce 'iss' and shares its callback path: give it a 'callback-path' of its own"
        default: nil
        }
    }

    /// What the app is told once client id and redirect URI are known to match (RFC 6749 section 4.1.2.1, Core
    /// 3.1.2.6); `nil` if the browser gets a page whatever is known.
    package var error: AppError? {
        switch self {
        case .cancelled:
            AppError("access_denied", "The person did not sign in.")
        case .refused(let error) where Self.passedOn.contains(error.code):
            AppError(error.code, "The provider asks for the person.")
        case .refused(let error) where error.code == "temporarily_unavailable":
            AppError("temporarily_unavailable", "The provider is not available.")
        case .refused:
            AppError("server_error", "The provider refused.")
        case .providerUnavailable:
            AppError("temporarily_unavailable", "The provider is not available.")
        case .failed, .sharedCallbackPath:
            AppError("server_error", "The sign-in could not be verified.")
        case .storeUnavailable:
            AppError("temporarily_unavailable", "The broker is not available.")
        case .tooManyHandOffs:
            AppError("temporarily_unavailable", "Too many sign-ins of this person were not redeemed.")
        case .tooManyOfProvider:
            AppError("temporarily_unavailable", "Too many sign-ins by this provider were not redeemed.")
        default:
            nil
        }
    }

    private static let passedOn: Set<String> = [
        "login_required", "interaction_required", "consent_required", "account_selection_required",
    ]
}

/// An OAuth error for an app.
package struct AppError: Error, Sendable, Hashable {
    /// The registered code.
    package let code: String
    /// A sentence for the app's developer; never holds a value of a request.
    package let errorDescription: String

    package init(_ code: String, _ errorDescription: String) {
        self.code = code
        self.errorDescription = errorDescription
    }

    /// The app asked for no page, and there is one that the person would have to see (OpenID Connect Core 1.0 section
    /// 3.1.2.6).
    static let interactionRequired = AppError(
        "interaction_required", "This sign-in cannot be completed without showing a page to the person.")

    /// The provider is configured without a client id.
    static let nativeOnly = AppError(
        "invalid_request", "This provider has no client-id: it takes native credentials only.")
}
