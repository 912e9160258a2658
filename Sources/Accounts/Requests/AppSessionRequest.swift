// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

/// A request to begin the session of an OpenID app, for a sign-in that entered an account.
package struct AppSessionRequest: Sendable {
    /// The identifier of the session. The same request has the same one.
    package let id: AccountSession.ID
    /// 32 bytes that only the grant has.
    package let seed: [UInt8]
    /// The account.
    package let account: AccountID
    /// The identity of the sign-in.
    package let identity: IdentityKey
    /// The client ID of the app.
    package let app: String
    /// The time at which the sign-in entered the account, in seconds since 1970.
    package let authTime: Int64
    /// The granted scopes.
    package let scope: String
    /// The claims that the app gets, as the text of a JSON object.
    package let claims: String
    /// What the app's refresh tokens may do.
    package let policy: RefreshTokenPolicy
    /// The hash of the provider's session in which the user signed in; `nil` if the provider named none.
    package let providerSession: [UInt8]?

    /// Creates a request.
    package init(
        id: AccountSession.ID, seed: [UInt8], account: AccountID, identity: IdentityKey, app: String, authTime: Int64,
        scope: String, claims: String, policy: RefreshTokenPolicy, providerSession: [UInt8]? = nil
    ) {
        self.id = id
        self.seed = seed
        self.account = account
        self.identity = identity
        self.app = app
        self.authTime = authTime
        self.scope = scope
        self.claims = claims
        self.policy = policy
        self.providerSession = providerSession
    }
}
