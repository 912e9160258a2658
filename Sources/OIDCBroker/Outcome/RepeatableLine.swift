// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty

/// The lines of the log that a stranger can cause at will, without a provider. A closed list: what is remembered of them
/// is bounded by it.
enum RepeatableLine: Int, CaseIterable, Sendable {
    case reposting
    case readingFragment
    case cancelled
    case refused
    case failedAuthorization
    /// A return whose ID token, which came through the browser, was not taken.
    case refusedIDToken
    case notNavigation
    case prefetch
    case unreadable
    case reservedForFirebase
    case unknownState
    case expired
    case otherBrowser
    case doubledCookie
    case alreadyFinished
    case changed
    case misdirected
    case tooManyFromAddress
    /// A hand-off code that was none.
    case refusedCode
    /// A notification that was not a provider's.
    case refusedNotification
    /// Claims that were too long to be handed on.
    case longClaims
}

extension Outcome {
    /// Which repeatable line this outcome writes; nil where each is a person's or a provider's doing, and is written.
    var repeatableLine: RepeatableLine? {
        switch self {
        case .reposting: .reposting
        case .readingFragment: .readingFragment
        // A login of one's own is had for the asking, and brought back with any `error` or `iss`.
        case .cancelled: .cancelled
        case .refused: .refused
        case .failed(let error) where error.step == .authorization: .failedAuthorization
        case .notNavigation: .notNavigation
        case .prefetch: .prefetch
        case .unreadable: .unreadable
        case .reservedForFirebase: .reservedForFirebase
        case .unknownState: .unknownState
        case .expired: .expired
        case .otherBrowser: .otherBrowser
        case .doubledCookie: .doubledCookie
        case .alreadyFinished: .alreadyFinished
        case .changed: .changed
        case .misdirected: .misdirected
        case .tooManyFromAddress: .tooManyFromAddress
        case .signedIn, .continuing, .providerUnavailable, .failed, .sharedReturnPath, .storeUnavailable,
            .tooManyHandOffs,
            .missingOrInvalidNonce, .repeatedCredential:
            nil
        }
    }
}
