// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOConcurrencyHelpers

/// What the sample app stores of a user who is signed in to an account. No page and no cookie contains it.
struct HeldTokens: Sendable {
    /// The uid of the account.
    let uid: String
    /// The ID token of the account.
    let idToken: String
    /// The refresh token of the session at the broker.
    let refreshToken: String
    /// The time at which the ID token expires, in seconds since 1970.
    let expiry: Int64
    /// The checks of the ID token.
    let report: SignInReport
}

/// The sessions of the page "Your account" in memory, each bound to a browser by a cookie with a random value.
final class AccountSessions: Sendable {
    /// Who is signed in, and what the page says.
    struct Session: Sendable {
        /// The tokens; `nil` if no user is signed in.
        var tokens: HeldTokens?
        /// What came of the last action; `nil` if there was none.
        var notice: AccountNotice?
    }

    /// The name of the cookie, which differs from that of a sign-in by the browser.
    static let cookieName = "__Host-sample-account"
    /// The maximum number of sessions, beyond which all are removed, which suffices for a demo.
    private static let most = 1000

    private let sessions = NIOLockedValueBox<[String: Session]>([:])

    /// Stores a session under a new random value, and removes the one that the browser had before.
    ///
    /// - Returns: The value of `Set-Cookie`.
    func open(_ session: Session, insteadOf old: String?) -> String {
        let id = Base64URL.encode(SecureRandom.bytes(32))
        sessions.withLockedValue { sessions in
            if let old { sessions[old] = nil }
            if sessions.count >= Self.most { sessions.removeAll() }
            sessions[id] = session
        }
        return "\(Self.cookieName)=\(id); Path=/; Max-Age=3600; Secure; HttpOnly; SameSite=Lax"
    }

    /// Replaces the content of a session, if it still exists.
    func update(_ id: String, _ session: Session) {
        sessions.withLockedValue { sessions in
            if sessions[id] != nil { sessions[id] = session }
        }
    }

    /// Changes a session that still has the tokens that were read, so that a request that ends late does not undo what
    /// another one has stored in the meantime.
    ///
    /// - Returns: Whether it still had them.
    func update(_ id: String, holding read: HeldTokens, _ change: (inout Session) -> Void) -> Bool {
        sessions.withLockedValue { sessions in
            // A sign-in gives another refresh token, and a refresh another ID token only.
            guard var session = sessions[id], let held = session.tokens,
                held.refreshToken.hasSameBytes(as: read.refreshToken), held.idToken.hasSameBytes(as: read.idToken)
            else { return false }
            change(&session)
            sessions[id] = session
            return true
        }
    }

    /// Returns a session; `nil` if there is none.
    func session(_ id: String) -> Session? {
        sessions.withLockedValue { $0[id] }
    }
}
