// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A request to sign in with a verified identity, or to enter an account with it.
public struct SignInRequest: Sendable, Hashable {
    /// What was verified.
    public var identity: VerifiedIdentity
    /// The time at which the user was authenticated, as that at which the provider issued the ID token, in seconds since
    /// 1970; `nil` for that of the operation, as which a later time counts too. The request is refused if the sessions of
    /// the account were ended after it.
    public var authTime: Int64?
    /// Whether an account may be made.
    public var mayCreate: Bool
    /// The account that the user must be signed in to, for a re-authentication; `nil` for any.
    public var expected: AccountID?
    /// The identifier of the account if one is made.
    public var newAccount: AccountID
    /// The app of the SDK; `nil` if there is none.
    public var app: String?
    /// What the sign-in uses up: all of it, or nothing if the sign-in is refused.
    public var uses: [TokenUse]
    /// The access token of the provider that is handed out; `nil` if there is none, and then the record of an earlier one
    /// is kept.
    public var accessToken: AccountIdentity.HandedOutToken?
    /// The verified claims, for the decision about new accounts.
    package var claims = JSONObject()
    /// The claims that replace those that are kept with the identity; `nil` if the sign-in says nothing of them.
    package var keptClaims: JSONObject?
    /// The decision about a new account, if a server is asked.
    package var permission = NewAccountPermission.free

    /// Creates a request.
    public init(
        _ identity: VerifiedIdentity, authTime: Int64? = nil, mayCreate: Bool = true, expected: AccountID? = nil,
        newAccount: AccountID = AccountID(), app: String? = nil, uses: [TokenUse] = [],
        accessToken: AccountIdentity.HandedOutToken? = nil
    ) {
        self.identity = identity
        self.authTime = authTime
        self.mayCreate = mayCreate
        self.expected = expected
        self.newAccount = newAccount
        self.app = app
        self.uses = uses
        self.accessToken = accessToken
    }

    /// The time of authentication for an operation at a time.
    func authTime(at now: Int64) -> Int64 { min(authTime ?? now, now) }
}
