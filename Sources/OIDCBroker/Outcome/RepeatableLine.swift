// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty

/// The lines of the log that a stranger can cause at will, by himself or by what he makes a provider say. A closed list:
/// what is remembered of them is bounded by it.
enum RepeatableLine: Int, CaseIterable, Sendable {
    case reposting
    case readingFragment
    case cancelled
    case refused
    case failedAuthorization
    /// A callback whose ID token, which came through the browser, was not taken.
    case refusedIDToken
    case notNavigation
    case prefetch
    case unreadable
    case reservedForFirebase
    case unknownState
    case expired
    case otherBrowser
    case duplicateCookie
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
    /// Members of `upstream` that were too long for a record.
    case longUpstream
    case providerUnavailable
    case failedDiscovery
    /// A code that the provider did not take: anybody can make one up.
    case failedToken
    case failedKeySet
    case failedIDToken
    case failedUserInfo
    case failedPush
    /// Another step, as of a revocation.
    case failedStep
    case sharedCallbackPath
    case storeUnavailable
    case tooManyHandOffs
    case tooManyOfProvider
    case missingOrInvalidNonce
    case repeatedCredential
    /// A revocation of a token that is somebody else's.
    case otherPerson
    /// A notification that nobody took.
    case notDelivered
    /// A notification that came again while it was handed on.
    case notificationUnderWay
    /// An ID token of ours that could not be signed.
    case notSigned

    /// Where such a line is written: of each place the first in a second is.
    enum Place: Sendable, Hashable {
        case callback
        case start
        case credential
        case token
        case revocation
        case notification
    }

    /// Whether each provider has lines of its own: an operator must see that a second one has trouble too.
    var isOfProvider: Bool {
        switch self {
        case .providerUnavailable, .failedDiscovery, .failedToken, .failedKeySet, .failedIDToken, .failedUserInfo,
            .failedPush, .failedStep, .sharedCallbackPath, .tooManyOfProvider, .notDelivered,
            .notificationUnderWay:
            true
        default: false
        }
    }
}

extension Outcome {
    /// Which repeatable line this outcome writes; nil for a success, each of which is written.
    var repeatableLine: RepeatableLine? {
        switch self {
        case .reposting: .reposting
        case .readingFragment: .readingFragment
        // A login of one's own is had for the asking, and brought back with any `error` or `iss`.
        case .cancelled: .cancelled
        case .refused: .refused
        // Or with a code that is none; and whoever knows that a provider is down may start as often as he likes.
        case .providerUnavailable: .providerUnavailable
        case .failed(let error): RepeatableLine(failureOf: error.step)
        case .sharedCallbackPath: .sharedCallbackPath
        case .notNavigation: .notNavigation
        case .prefetch: .prefetch
        case .unreadable: .unreadable
        case .reservedForFirebase: .reservedForFirebase
        case .unknownState: .unknownState
        case .expired: .expired
        case .otherBrowser: .otherBrowser
        case .duplicateCookie: .duplicateCookie
        case .alreadyFinished: .alreadyFinished
        case .changed: .changed
        case .misdirected: .misdirected
        case .storeUnavailable: .storeUnavailable
        case .tooManyHandOffs: .tooManyHandOffs
        case .tooManyOfProvider: .tooManyOfProvider
        case .tooManyFromAddress: .tooManyFromAddress
        case .missingOrInvalidNonce: .missingOrInvalidNonce
        case .repeatedCredential: .repeatedCredential
        case .signedIn, .continuing: nil
        }
    }
}

extension RepeatableLine {
    /// The line of a step that failed.
    init(failureOf step: RelyingPartyError.Step) {
        self =
            switch step {
            case .authorization: .failedAuthorization
            case .discovery: .failedDiscovery
            case .token: .failedToken
            case .keySet: .failedKeySet
            case .idToken: .failedIDToken
            case .userInfo: .failedUserInfo
            case .pushedAuthorization: .failedPush
            default: .failedStep
            }
    }
}
