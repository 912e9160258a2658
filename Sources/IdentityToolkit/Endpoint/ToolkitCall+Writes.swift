// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP

// The limits of what a session asks for.
extension ToolkitCall {
    /// What a session asks for.
    enum Purpose {
        case lookup
        case change
        /// It is no write of the account: the holder of another live session could use those up, and must not keep the
        /// owner from deleting.
        case deletion
    }

    /// A session that asks for its account or a change of it, by an ID token that was verified.
    struct Asking: Sendable {
        /// The session, which may have ended.
        let session: AuthenticatedSession
        /// What it counts as for the account.
        let write: LimitedAccountOperation

        init(_ token: VerifiedAccountToken, for purpose: Purpose, isRecent: Bool) {
            session = token.session
            write = purpose == .lookup ? .lookups(of: token.account) : .write(token.account, isRecent: isRecent)
        }
    }

    /// Verifies the ID token of the session that asks, once for the whole request, and limits the attempts of the session
    /// and what counts for its account.
    ///
    /// The session may have ended, while its token is still valid. So an attempt counts for the session only, and
    /// ``counting(_:_:)`` counts for the account what a live session has asked for.
    /// - Parameters:
    ///   - idToken: The ID token.
    ///   - purpose: What it asks for.
    ///   - next: What follows.
    func asking(
        _ idToken: String, for purpose: Purpose = .change,
        _ next: (Asking) throws(ToolkitError) -> EventLoopFuture<BrokerResponse>
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        let token: VerifiedAccountToken
        do throws(AccountTokenError) {
            token = try service.verify(asking: idToken)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let isRecent = service.policy.isRecent(token.authTime, now: broker.now)
        let asking = Asking(token, for: purpose, isRecent: isRecent)
        guard purpose == .deletion || toolkit.limits.wouldProceed(asking.write),
            toolkit.limits.mayProceed(purpose == .lookup ? .lookup(asking.session) : .attempt(asking.session))
        else { throw ToolkitError(.tooManyAttempts) }
        return try next(asking)
    }

    /// Counts a change or a lookup for the account if the session that asked was live, whether it was made or refused: a
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
