// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A live session of an OpenID app.
package struct AppSession: Sendable {
    /// The session.
    package let session: AccountSession
    /// The granted scopes.
    package let scope: String
    /// The claims for the app: those of the sign-in, with what a newer sign-in of the identity, at any app, said of them.
    package let claims: JSONObject
    /// The claims by which apps decide, as the newest sign-in of the identity at an OpenID app left them; `nil` if there was
    /// none, or the app decides by none.
    package let decidingClaims: JSONObject?
    /// The time from which it has ended unless it is refreshed, in seconds since 1970.
    package let end: Int64
}

extension AppSession {
    /// Creates a session.
    /// - Parameters:
    ///   - claims: The claims of the sign-in.
    ///   - verified: What the newest sign-in with the identity said.
    init(
        _ session: AccountSession, scope: String, claims: JSONObject, newest verified: VerifiedIdentity,
        decidingClaims: JSONObject?, end: Int64
    ) {
        var claims = claims
        claims["provider"] = .string(session.providerID)
        if claims["email"] != nil, let email = verified.email {
            claims["email"] = .string(email.text)
            claims["email_verified"] = .bool(verified.isEmailProved)
            if claims["is_private_email"] != nil { claims["is_private_email"] = .bool(verified.isPrivateRelay) }
        }
        if let known = claims["name"]?.text, let name = verified.displayName, !known.hasSameBytes(as: name) {
            claims["name"] = .string(name)
            // The record that it was made of is not known.
            claims["given_name"] = nil
            claims["family_name"] = nil
        }
        if claims["picture"] != nil, let photo = verified.photoURL { claims["picture"] = .string(photo) }
        self.init(session: session, scope: scope, claims: claims, decidingClaims: decidingClaims, end: end)
    }
}

/// What became of a refresh.
package enum AppRefresh: Sendable {
    /// The session goes on with a token, which may be the presented one.
    case refreshed(AppSession, AppRefreshToken)
    /// A token came again that another one had replaced. The session has ended.
    case reused(AccountSession)
}
