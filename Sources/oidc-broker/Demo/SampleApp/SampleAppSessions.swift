// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOConcurrencyHelpers

/// The sample app's sessions: in memory, bound to a browser by a cookie with a random value.
final class SampleAppSessions: Sendable {
    /// A sign-in that is under way, or what became of the last one.
    enum Session: Sendable {
        case underWay(SignInAttempt)
        case ended(SignInOutcome)
    }

    /// The cookie. The prefix makes browsers insist on Secure and on this host; cookies do not tell ports apart, so
    /// the name is the app's own.
    static let cookieName = "__Host-sample"
    /// The most sessions that are kept; beyond it all are forgotten, which is enough for a demo.
    private static let most = 1000

    private let sessions = NIOLockedValueBox<[String: Session]>([:])

    /// Keeps a new attempt in a session of its own.
    ///
    /// - Returns: the value of `Set-Cookie`.
    func open(_ attempt: SignInAttempt) -> String {
        let id = Base64URL.encode(SecureRandom.bytes(32))
        sessions.withLockedValue { sessions in
            if sessions.count >= Self.most { sessions.removeAll() }
            sessions[id] = .underWay(attempt)
        }
        return "\(Self.cookieName)=\(id); Path=/; Max-Age=3600; Secure; HttpOnly; SameSite=Lax"
    }

    /// Takes the attempt out of a session, once: only the first response counts.
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

    /// Keeps what became of the sign-in.
    func end(_ id: String, _ outcome: SignInOutcome) {
        sessions.withLockedValue { $0[id] = .ended(outcome) }
    }

    /// What became of the sign-in; `nil` if it is unknown or still under way.
    func outcome(_ id: String) -> SignInOutcome? {
        sessions.withLockedValue { sessions in
            guard case .ended(let outcome) = sessions[id] else { return nil }
            return outcome
        }
    }
}
