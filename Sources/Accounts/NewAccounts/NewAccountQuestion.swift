// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore

/// The verified sign-in for which an account would be made, for the server or closure that decides about new accounts.
public struct NewAccountQuestion: Sendable, Hashable {
    /// What was verified.
    public let identity: VerifiedIdentity
    /// The app of the SDK; `nil` if there is none.
    public let app: String?
    /// The verified claims.
    package let claims: JSONObject

    /// The verified claims as the text of a JSON object: those of the ID token and, if UserInfo was fetched, those that it
    /// added.
    public var claimsJSON: String { String(decoding: claims.serialized(), as: UTF8.self) }
}

/// What was decided about a new account.
public enum NewAccountDecision: Sendable, Hashable {
    /// The account may be made, with custom claims; `nil` if it has none.
    case allowed(customClaims: CustomClaims?)
    /// It may not be made. An app of an SDK gets the reason, at most ``AccountLimits/blockingReasonBytes`` bytes without
    /// control characters; any other one counts as no answer.
    case refused(reason: String)
}

/// There was no valid decision about a new account, so no account is made. It is a problem of this server.
public struct NewAccountError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened. It contains nothing of an answer and of the user.
    public let description: String

    /// Creates an error from what happened, without anything of an answer and of the user.
    package init(_ description: String) { self.description = description }

    static let tooManyAsk = Self("too many sign-ins wait for the decision about a new account")
    static let tooLate = Self("the decision about a new account did not come in time")
    static let invalidReason = Self(
        "the reason for the refusal of a new account is too long, or has characters that are not allowed")
    /// The account that the user had was deleted between the question and the sign-in.
    static let notAsked = Self("no server was asked about a new account")
}

/// Who decides about new accounts.
package struct NewAccountDecider: Sendable {
    /// Decides about a new account.
    package typealias Decide = @Sendable (NewAccountQuestion, any EventLoop) -> EventLoopFuture<NewAccountDecision>

    let decide: Decide
    let time: TimeAmount

    /// - Parameters:
    ///   - time: The time after which a decision comes too late.
    ///   - decide: Decides.
    package init(
        within time: TimeAmount = .seconds(AccountLimits.newAccountSeconds), _ decide: @escaping Decide
    ) {
        self.time = time
        self.decide = decide
    }
}

/// Whether a sign-in may make an account.
package enum NewAccountPermission: Sendable, Hashable {
    /// No server is asked.
    case free
    /// A server would have been asked if there had been a new account to decide about.
    case notAsked
    /// It was allowed, with custom claims.
    case given(CustomClaims?)
}
