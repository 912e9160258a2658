// SPDX-License-Identifier: Apache-2.0

package import OpenIDRelyingParty

/// The lines of the log and the audit that a client can cause at will, directly or through what it makes a provider
/// respond. The list is closed, which bounds what is remembered of them.
package enum RepeatableEvent: Int, CaseIterable, Sendable {
    /// A success, which gets more lines.
    case signedIn
    case reposting
    case readingFragment
    case cancelled
    case refused
    case failedAuthorization
    /// A callback whose ID token, received through the browser, was refused.
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
    case tooManyCallbacks
    /// A request of a browser over the rate of its client.
    case overBrowserRate
    /// A request of another site's page over the rate of its client.
    case overSubresourceRate
    /// A request of an app after too many that were refused.
    case overFailureRate
    /// A notification after too many that were refused.
    case overNotificationRate
    /// A start over the rate of its app.
    case overStartRate
    /// Another request over the rate of its app.
    case overAppRate
    /// A request that would have to wait, without memory for it.
    case noMemoryForRequest
    /// A hand-off code that is not valid.
    case refusedCode
    /// A hand-off code that was redeemed before.
    case repeatedCode
    /// A start that cannot be reported to an app.
    case refusedStart
    /// A start that was refused and is no line in the log, only in the audit.
    case unreadStart
    /// A request of an app that did not authenticate, which is a line only in the audit.
    case unauthenticatedApp
    /// A refused operation on an account, which is a line only in the audit.
    case refusedOperation
    /// A request for an admin operation without the token, which is a line only in the audit.
    case unauthenticatedAdmin
    /// A client assertion that is not valid.
    case refusedAssertion
    /// A client assertion whose app's keys cannot be fetched.
    case unavailableKeys
    /// A logout request that is not valid.
    case refusedLogout
    /// A notification that is not valid.
    case refusedNotification
    /// Scopes that an app asked for and is not granted.
    case narrowedScope
    /// Claims that were too long to be handed on.
    case longClaims
    /// Members of `upstream` that were too long for a record.
    case longUpstream
    case providerUnavailable
    case failedDiscovery
    /// A code that the provider refused, which a client can make up.
    case failedToken
    case failedKeySet
    case failedIDToken
    case failedUserInfo
    case failedPush
    /// Another request, such as a revocation.
    case failedStep
    case sharedCallbackPath
    case storeUnavailable
    case tooManyHandOffs
    case tooManyOfProvider
    case requirementNotMet
    case unusableClaims
    case missingAuthTime
    case missingOrInvalidNonce
    case repeatedCredential
    case unexpectedSubject
    case handlerFailed
    case accountRefused
    case accountNeedsInteraction
    case accountsUnavailable
    /// A revocation of a token of another user.
    case otherPerson
    /// A notification that was not delivered.
    case notDelivered
    /// A notification that was received again while it was being delivered.
    case notificationUnderWay
    /// An ID token of the broker that could not be signed.
    case notSigned
    /// A name that a provider sends once, and that the store did not take.
    case nameNotKept
    /// A form of a provider over the limit on bodies.
    case longForm

    /// The place that writes such a line. For each place the first line in a second is written.
    package enum Place: Sendable, Hashable {
        case callback
        case start
        case credential
        case token
        case userInfo
        case revocation
        case introspection
        case notification
        case logout
        /// A request that an extension answers.
        case accounts
        /// A request over a limit on who asks, at any endpoint.
        case limit
    }

    /// The maximum number of lines in a second.
    var mostInASecond: Int { self == .signedIn ? 10 : 1 }

    /// Whether each provider has lines of its own, so that an operator sees that another one has problems too.
    var isOfProvider: Bool {
        switch self {
        case .providerUnavailable, .failedDiscovery, .failedToken, .failedKeySet, .failedIDToken, .failedUserInfo,
            .failedPush, .failedStep, .sharedCallbackPath, .tooManyOfProvider, .tooManyCallbacks, .unusableClaims,
            .refused, .longForm,
            .notDelivered, .notificationUnderWay, .nameNotKept, .refusedNotification, .overNotificationRate:
            true
        default: false
        }
    }
}

extension Outcome {
    /// The kind of line of this outcome; `nil` for a step on which a sign-in depends: each such step is written.
    package var repeatableLine: RepeatableEvent? {
        switch self {
        case .reposting: .reposting
        case .readingFragment: .readingFragment
        // A client can start a login at any time and return it with any `error` or `iss`.
        case .cancelled: .cancelled
        case .refused: .refused
        // Or with an invalid code. While a provider is unavailable, a client can start any number of logins.
        case .providerUnavailable: .providerUnavailable
        case .failed(let error): RepeatableEvent(failureOf: error.step)
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
        case .tooManyCallbacks: .tooManyCallbacks
        case .requirementNotMet: .requirementNotMet
        case .unusableClaims: .unusableClaims
        case .missingAuthTime: .missingAuthTime
        case .missingOrInvalidNonce: .missingOrInvalidNonce
        case .repeatedCredential: .repeatedCredential
        case .unexpectedSubject: .unexpectedSubject
        case .handlerFailed: .handlerFailed
        case .accountRefused: .accountRefused
        case .accountNeedsInteraction: .accountNeedsInteraction
        case .accountsUnavailable: .accountsUnavailable
        case .signedIn: .signedIn
        case .continuing: nil
        }
    }
}

extension RepeatableEvent {
    /// The line of a failed step.
    package init(failureOf step: RelyingPartyError.Step) {
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
