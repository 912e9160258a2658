// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

extension AccountIdentity {
    /// The element of `providerUserInfo`. JavaScript reads the subject as `rawId`, the SDK for Apple's systems as
    /// `federatedId`, and both need `providerId`.
    var providerUserInfo: JSONValue {
        var members = JSONObject()
        members["providerId"] = .string(verified.providerID)
        members["rawId"] = .string(key.subject)
        members["federatedId"] = .string(key.subject)
        members.set("email", verified.email?.text)
        members.set("displayName", verified.displayName)
        members.set("photoUrl", verified.photoURL)
        return .object(members)
    }
}
