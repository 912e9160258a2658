// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore
import OIDCBroker

// The limits of what changes an account.
extension ToolkitCall {
    /// A session that asks for a change of its account, by an ID token that was verified.
    struct Asking: Sendable {
        /// The session, which may have ended.
        let session: AuthenticatedSession
        /// What the change counts as for the account.
        let write: LimitedAccountOperation

        init(_ token: VerifiedAccountToken, isRecent: Bool) {
            session = token.session
            write = .write(token.account, isRecent: isRecent)
        }
    }

    /// Verifies the ID token of the session that asks for a change, once for the whole request, and limits the attempts
    /// of the session and the writes of its account.
    ///
    /// The session may have ended, while its token is still valid. So an attempt counts for the session only, and
    /// ``counting(_:_:)`` counts for the account what a live session has asked for.
    /// - Parameters:
    ///   - idToken: The ID token.
    ///   - countsAsWrite: Whether the writes of the account are limited as well. For a deletion they are not: whoever
    ///     has another live session could use them up, and must not keep the owner from deleting.
    ///   - next: What follows.
    func asking(
        _ idToken: String, countsAsWrite: Bool = true,
        _ next: (Asking) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse>
    ) throws(ToolkitError) -> EventLoopFuture<ToolkitResponse> {
        let token: VerifiedAccountToken
        do throws(AccountTokenError) {
            token = try service.verify(asking: idToken)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let isRecent = service.operations.policy.isRecent(token.authTime, now: broker.now)
        let asking = Asking(token, isRecent: isRecent)
        guard !countsAsWrite || toolkit.limits.wouldProceed(asking.write),
            toolkit.limits.mayProceed(.attempt(asking.session))
        else { throw ToolkitError(.tooManyAttempts) }
        return try next(asking)
    }

    /// Counts a change for the account if the session that asked was live, whether the change was made or refused: a
    /// refusal costs a transaction too.
    func counting<Value: Sendable>(_ asking: Asking, _ change: EventLoopFuture<Value>) -> EventLoopFuture<Value> {
        change.always { [limits = toolkit.limits] result in
            if Self.wasLive(result) { _ = limits.mayProceed(asking.write) }
        }
    }

    private static func wasLive<Value>(_ result: Result<Value, any Error>) -> Bool {
        switch result {
        case .success: true
        case .failure(let refusal as AccountRefusal): refusal.code != .sessionEnded && refusal.code != .disabled
        // It was written. Only the tokens for the client could not be made.
        case .failure(is AccountSigningError): true
        case .failure: false
        }
    }
}
