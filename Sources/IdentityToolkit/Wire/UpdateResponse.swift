// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// The response to a change of an account, without tokens: the next refresh carries the change.
struct UpdateResponse: Sendable {
    /// The account.
    var account: Account
    /// The identities that it has now.
    var identities: [AccountIdentity]

    /// The members of the response. The SDK for JavaScript takes what is not in `providerUserInfo` for unlinked.
    var members: JSONObject {
        var members: JSONObject = ["kind": "identitytoolkit#SetAccountInfoResponse"]
        members["localId"] = .string(account.id.text)
        members.set("email", account.email?.text)
        members.set("displayName", account.displayName)
        members.set("photoUrl", account.photoURL)
        members["emailVerified"] = .bool(account.email != nil && account.isEmailVerified)
        members["providerUserInfo"] = .array(identities.map { $0.providerUserInfo })
        return members
    }
}
