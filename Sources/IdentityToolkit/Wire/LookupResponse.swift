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
    /// - Parameters:
    ///   - profiles: The accounts.
    ///   - isForOperator: Whether an operator asks, who sees what was imported as well.
    static func members(of profiles: [AccountService.Profile], isForOperator: Bool = false) -> JSONObject {
        var members: JSONObject = ["kind": "identitytoolkit#GetAccountInfoResponse"]
        if !profiles.isEmpty { members["users"] = .array(profiles.map { isForOperator ? $0.operatorUser : $0.user }) }
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

    /// The element of `users` for an operator: with what was imported and has no place of its own, and facts beside the
    /// identities. A fact cannot sign in, so it is not shown to its owner as a provider.
    var operatorUser: JSONValue {
        guard let record = account.imported?.members, var user = self.user.objectValue else { return self.user }
        let kept = record[ImportedRecord.Member.user.rawValue]?.objectValue ?? JSONObject()
        for member in kept.members where user[member.name] == nil { user[member.name] = member.value }
        for (name, time) in [("createdAt", account.createdAt), ("lastLoginAt", account.lastSignInAt)] {
            // To the millisecond, where the account's is the same second.
            if let text = kept[name]?.text?.ascii(atMost: 15), let known = Int64(text), known / 1000 == time {
                user[name] = .string(text)
            }
        }
        if ImportedRecord.isUnused(account, record) { user["lastLoginAt"] = nil }
        let rests = record[ImportedRecord.Member.identities.rawValue]?.objectValue
        let linked = identities.map { identity -> JSONValue in
            guard var members = identity.providerUserInfo.objectValue,
                let rest = rests?[identity.verified.providerID]?.objectValue
            else { return identity.providerUserInfo }
            for member in rest.members where members[member.name] == nil { members[member.name] = member.value }
            return .object(members)
        }
        user["providerUserInfo"] = .array(ImportedRecord.elements(linked, withFactsOf: record))
        return .object(user)
    }
}
