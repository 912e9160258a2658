// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
package import Signing

/// Makes session cookies: the claims of an ID token of an account, for days instead of an hour, by which a backend
/// recognizes the browser of a user.
///
/// The issuer and the keys are no ones of ID tokens, so that no verifier takes either for the other. Nothing here accepts
/// a cookie.
package struct SessionCookies: Sendable {
    /// The lifetimes, in seconds: five minutes to 14 days.
    package static let lifetimes: ClosedRange<Int64> = 300...1_209_600
    /// The maximum age of the ID token for a new cookie, in seconds.
    package static let maximumTokenAge: Int64 = 300

    private static let firebaseTokens = "https://securetoken.google.com/"
    private static let firebaseCookies = "https://session.firebase.google.com/"

    /// The `iss` of the cookies.
    package let issuer: String
    /// The keys. They sign nothing else.
    package let keys: SigningKeys
    private let tokens: AccountTokens

    /// Creates what makes the cookies of a project.
    /// - Parameters:
    ///   - tokens: What makes the ID tokens of the project.
    ///   - keys: The keys. They sign nothing else.
    package init(for tokens: AccountTokens, keys: SigningKeys) {
        let isFirebase = tokens.issuer.hasSameBytes(as: Self.firebaseTokens + tokens.projectID)
        issuer = isFirebase ? Self.firebaseCookies + tokens.projectID : tokens.issuer + "/session"
        self.keys = keys
        self.tokens = tokens
    }

    /// Whether a signature takes too long for an event loop, since the key is an RSA key.
    var isSlow: Bool { keys.signing.isSlow }

    /// Makes the cookie of a session, with the claims that its ID token would have now.
    /// - Throws: ``AccountTokenError`` if the cookie would be longer than ``AccountTokens/maximumLength``, or an error of
    ///   the cryptographic library.
    func sign(
        _ account: Account, identities: [AccountIdentity], session: AccountSession, lifetime: Int64, now: Int64
    ) throws -> String {
        var claims = tokens.claims(for: account, identities: identities, session: session, now: now)
        claims["iss"] = .string(issuer)
        claims["exp"] = .number(JSONNumber(now + lifetime))
        let cookie = try keys.signing.signToken(JSONObjectText(claims))
        guard cookie.utf8.count <= AccountTokens.maximumLength else { throw AccountTokenError(.tooLong) }
        return cookie
    }
}
