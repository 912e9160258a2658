// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// The response with the account of a session: exactly one, or the SDK for Apple's systems fails.
struct LookupResponse: Sendable {
    /// The account.
    var account: Account
    /// Its identities.
    var identities: [AccountIdentity]

    /// The members of the response.
    var members: JSONObject { Self.members(of: [AccountService.Profile(account: account, identities: identities)]) }

    /// The members of a response with accounts, or without any.
    static func members(of profiles: [AccountService.Profile]) -> JSONObject {
        var members: JSONObject = ["kind": "identitytoolkit#GetAccountInfoResponse"]
        if !profiles.isEmpty { members["users"] = .array(profiles.map { $0.user }) }
        return members
    }
}

extension AccountService.Profile {
    /// The element of `users`. All times are texts.
    var user: JSONValue {
        var user = JSONObject()
        user["localId"] = .string(account.id.text)
        user.set("email", account.email?.text)
        user["emailVerified"] = .bool(account.email != nil && account.isEmailVerified)
        user.set("displayName", account.displayName)
        user.set("photoUrl", account.photoURL)
        user["providerUserInfo"] = .array(identities.map { $0.providerUserInfo })
        user["validSince"] = .string(String(account.validSince))
        // Only an operator sees such an account.
        if account.isDisabled { user["disabled"] = .bool(true) }
        user["createdAt"] = .string(WireTime.milliseconds(account.createdAt))
        user["lastLoginAt"] = .string(WireTime.milliseconds(account.lastSignInAt))
        user.set("lastRefreshAt", account.lastRefreshAt.map { WireTime.rfc3339($0) })
        user.set("customAttributes", account.customClaims?.json)
        return .object(user)
    }
}
