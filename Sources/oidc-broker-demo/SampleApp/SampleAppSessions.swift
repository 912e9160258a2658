// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOConcurrencyHelpers

/// The sessions of the sample app in memory, each bound to a browser by a cookie with a random value.
final class SampleAppSessions: Sendable {
    /// A sign-in that is under way, or the outcome of the last one.
    enum Session: Sendable {
        case underWay(SignInAttempt)
        case ended(SignInOutcome)
    }

    /// The name of the cookie. With this prefix browsers require Secure and restrict the cookie to this host. Cookies
    /// do not distinguish ports, so the name must be specific to the app.
    static let cookieName = "__Host-sample"
    /// The maximum number of sessions, beyond which all are removed, which suffices for a demo.
    private static let most = 1000

    private let sessions = NIOLockedValueBox<[String: Session]>([:])

    /// Stores a new attempt in a new session.
    ///
    /// - Returns: The value of `Set-Cookie`.
    func open(_ attempt: SignInAttempt) -> String {
        let id = Base64URL.encode(SecureRandom.bytes(32))
        sessions.withLockedValue { sessions in
            if sessions.count >= Self.most { sessions.removeAll() }
            sessions[id] = .underWay(attempt)
        }
        return "\(Self.cookieName)=\(id); Path=/; Max-Age=3600; Secure; HttpOnly; SameSite=Lax"
    }

    /// Removes the attempt from a session, so that only the first callback counts.
    ///
    /// - Returns: `nil` if there is none under way or `state` is another.
    func take(_ id: String, state: String) -> SignInAttempt? {
        sessions.withLockedValue { sessions in
            guard case .underWay(let attempt) = sessions[id], ConstantTime.equal(attempt.state, state) else {
                return nil
            }
            sessions[id] = nil
            return attempt
        }
    }

    /// Stores the outcome of a sign-in.
    func end(_ id: String, _ outcome: SignInOutcome) {
        sessions.withLockedValue { $0[id] = .ended(outcome) }
    }

    /// Returns the outcome of a sign-in; `nil` if it is unknown or still under way.
    func outcome(_ id: String) -> SignInOutcome? {
        sessions.withLockedValue { sessions in
            guard case .ended(let outcome) = sessions[id] else { return nil }
            return outcome
        }
    }
}
