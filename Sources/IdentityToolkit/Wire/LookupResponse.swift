// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// The response with the account of a session: exactly one, or the SDK for Apple's systems fails.
struct LookupResponse: Sendable {
    /// The account.
    var account: Account
    /// Its identities.
    var identities: [AccountIdentity]

    /// The members of the response. All times are texts.
    var members: JSONObject {
        var user = JSONObject()
        user["localId"] = .string(account.id.text)
        user.set("email", account.email?.text)
        user["emailVerified"] = .bool(account.email != nil && account.isEmailVerified)
        user.set("displayName", account.displayName)
        user.set("photoUrl", account.photoURL)
        user["providerUserInfo"] = .array(identities.map { $0.providerUserInfo })
        user["validSince"] = .string(String(account.validSince))
        user["createdAt"] = .string(WireTime.milliseconds(account.createdAt))
        user["lastLoginAt"] = .string(WireTime.milliseconds(account.lastSignInAt))
        user.set("lastRefreshAt", account.lastRefreshAt.map { WireTime.rfc3339($0) })
        user.set("customAttributes", account.customClaims?.json)
        return ["kind": "identitytoolkit#GetAccountInfoResponse", "users": .array([.object(user)])]
    }
}
