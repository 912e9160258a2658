// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A live session of an OpenID app.
package struct AppSession: Sendable {
    /// The session.
    package let session: AccountSession
    /// The granted scopes.
    package let scope: String
    /// The claims of the sign-in.
    package let claims: JSONObject
    /// The identity with which the user signed in, as its newest sign-in left it.
    package let identity: AccountIdentity
    /// The claims by which apps decide, as the newest sign-in of the identity at an OpenID app left them; `nil` if there was
    /// none.
    package let decidingClaims: JSONObject?
    /// The time from which it has ended unless it is refreshed, in seconds since 1970.
    package let end: Int64
}

/// What became of a refresh.
package enum AppRefresh: Sendable {
    /// The session goes on with a token, which may be the presented one.
    case refreshed(AppSession, AppRefreshToken)
    /// A token came again that another one had replaced. The session has ended.
    case reused(AccountSession)
}
