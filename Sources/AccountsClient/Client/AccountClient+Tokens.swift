// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AccountClient {
    /// Returns the ID token of the signed-in user, which other servers verify.
    ///
    /// It is refreshed five minutes before it expires. However many ask at a time, one request refreshes it for all.
    ///
    /// - Parameter forcingRefresh: Whether it is refreshed in any case, as after a change of the account that the token
    ///   is to show. The refresh then begins after the call: one that is under way is waited for, and not shared.
    /// - Throws: ``AccountsError``. Where the session has ended, no user is signed in any more. It is
    ///   ``AccountsError/Code/userMismatch`` if another user signed in meanwhile.
    public func idToken(forcingRefresh: Bool = false) async throws -> String {
        try await asking(forcingRefresh: forcingRefresh).idToken
    }

    /// A session that asks the server for something now.
    struct Asking: Sendable {
        let idToken: String
        let uid: String
        let generation: Int
        /// The number of the question, by which an answer that was overtaken is known.
        let number: Int
        let sentAt: Date
    }

    /// Returns the session with an ID token that may be used for some time.
    /// - Parameters:
    ///   - uid: The user who must be signed in, before and after a refresh; `nil` for the one who is signed in now.
    ///   - forcingRefresh: Whether the ID token is refreshed in any case.
    func asking(as uid: String? = nil, forcingRefresh: Bool = false) async throws -> Asking {
        try await load()
        var session = try state.session(of: uid)
        if forcingRefresh || !session.tokens.areFresh(at: now()) {
            session = try await refreshed(session.user.uid, isForced: forcingRefresh)
            // The device may have slept until the response came.
            if session.tokens.expiresAt <= now() {
                session = try await refreshed(session.user.uid, isForced: false)
            }
        }
        return Asking(
            idToken: session.tokens.idToken.exposed, uid: session.user.uid, generation: state.generation,
            number: state.question(), sentAt: now())
    }

    /// Asks the server with the ID token of the session, twice if the first is refused.
    ///
    /// That the session has ended is believed of the refresh token alone: an ID token may also be too old because the
    /// clock of the device was set. That the account is gone or disabled is believed at once.
    ///
    /// - Parameter uid: The user who must be signed in; `nil` for the one who is. Nothing is requested for another
    ///   user.
    func ask<Response: Decodable & Sendable, Body: Encodable & Sendable>(
        _ operation: AccountOperation, as uid: String? = nil, _ body: (Asking) -> Body
    ) async throws -> (Response, Asking) {
        let first = try await asking(as: uid)
        do {
            let response: Response = try await server.call(operation, body(first))
            return (response, first)
        } catch let error as AccountsError where error.code == .sessionExpired {
            // There may be another one by now, of a refresh or of a new session of the user.
            if state.held?.tokens.idToken.exposed.utf8.elementsEqual(first.idToken.utf8) == true {
                _ = try await refreshed(first.uid, isForced: false)
            }
        } catch let error as AccountsError where error.endsSession {
            await end(first.generation)
            throw error
        }
        let second = try await asking(as: first.uid)
        do {
            let response: Response = try await server.call(operation, body(second))
            return (response, second)
        } catch let error as AccountsError where error.endsSession {
            // The refresh token was good a moment ago.
            if error.code != .sessionExpired { await end(second.generation) }
            throw error
        }
    }
}
