// SPDX-License-Identifier: Apache-2.0

package import Logging
import OpenIDRelyingParty

extension Outcome {
    /// The message of the log: what happened, as a sentence of printable ASCII without any value of a request.
    /// - Parameters:
    ///   - subject: What the sentence is about, such as `sign-in`.
    ///   - leftOut: The number of similar lines that were left out. A success names it; other lines have it in their
    ///     metadata alone.
    package func message(of subject: StaticString, leftOut: Int = 0) -> Logger.Message {
        switch self {
        case .signedIn: leftOut > 0 ? "\(subject) succeeded; \(leftOut) left out" : "\(subject) succeeded"
        case .continuing: "\(subject) waits until the user continues"
        case .reposting: "\(subject) goes on: the browser posts the response again, with its cookie"
        case .readingFragment: "\(subject) goes on: the browser posts the response from the fragment of the URL"
        case .prefetch: "callback not used: the browser only prefetched it"
        default: "\(subject) failed: \(cause)"
        }
    }

    /// Why a sign-in failed.
    private var cause: String {
        switch self {
        case .signedIn, .continuing, .reposting, .readingFragment, .prefetch: "it did not"
        case .cancelled: "canceled by the user"
        case .refused: "the provider returned an error"
        case .providerUnavailable: "the provider is unavailable"
        case .failed(let error): Self.cause(of: error.step)
        case .sharedCallbackPath: "the provider shares its callback path and does not announce iss"
        case .notNavigation: "the request was not a navigation"
        case .unreadable: "invalid parameters"
        case .reservedForFirebase: "a Firebase SDK asked, and accounts are off"
        case .unknownState: "state was not issued by this server"
        case .expired: "the login expired"
        case .otherBrowser: "login cookie missing"
        case .duplicateCookie: "login cookie sent more than once"
        case .alreadyFinished: "the login was used before"
        case .changed: "the provider or app was changed during the login"
        case .misdirected: "the response came to another path or in another mode than requested"
        case .storeUnavailable: "the single-use store is full or unavailable"
        case .tooManyHandOffs: "too many unredeemed codes of this user"
        case .tooManyOfProvider: "too many unredeemed codes of this provider"
        case .tooManyFromAddress: "too many attempts from this client address"
        case .tooManyCallbacks: "too many callbacks wait for providers"
        case .handlerFailed: "the handler of the app failed"
        case .unexpectedSubject: "another user signed in than the app named"
        case .requirementNotMet: "the claims of the user are not those that the app requires"
        case .unusableClaims: "a claim cannot be passed to the app"
        case .missingAuthTime: "the provider did not send auth_time"
        case .missingOrInvalidNonce: "nonce missing or invalid"
        case .repeatedCredential: "the credential was used before"
        case .accountRefused: "the account is disabled or does not exist"
        case .accountNeedsInteraction: "the user must link this provider or sign in again"
        case .accountsUnavailable: "the accounts are unavailable"
        }
    }

    private static func cause(of step: RelyingPartyError.Step) -> String {
        switch step {
        case .authorization: "invalid authorization response"
        case .discovery: "cannot use the provider's metadata"
        case .token: "the token request failed"
        case .keySet: "cannot use the provider's keys"
        case .idToken: "invalid ID token"
        case .userInfo: "the UserInfo request failed"
        case .pushedAuthorization: "the pushed authorization request failed"
        default: "a request to the provider failed"
        }
    }
}
