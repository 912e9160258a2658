// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension AccountTokens {
    /// The claims of the token of a session. Every name that is not a custom claim's is one of
    /// ``CustomClaims/reservedNames``.
    func claims(
        for account: Account, identities: [AccountIdentity], session: AccountSession, now: Int64
    ) -> JSONObject {
        // Custom claims stand first, so that a claim of ours replaces whatever has its name.
        var claims = account.customClaims?.members ?? JSONObject()
        claims["iss"] = .string(issuer)
        claims["aud"] = .string(projectID)
        claims["sub"] = .string(account.id.text)
        claims["user_id"] = .string(account.id.text)
        // A verifier that asks for ended sessions compares `iat` with `validSince`: it must not lie before that.
        claims["iat"] = .number(JSONNumber(min(now, max(IssuedAt.claim(now: now), account.validSince))))
        claims["exp"] = .number(JSONNumber(now + Self.lifetime))
        claims["auth_time"] = .number(JSONNumber(session.authTime))
        claims["sid"] = .string(Base64URL.encode(session.id.bytes))
        if let email = account.email {
            claims["email"] = .string(email.text)
            claims["email_verified"] = .bool(account.isEmailVerified)
        }
        if let name = account.displayName { claims["name"] = .string(name) }
        if let photo = account.photoURL { claims["picture"] = .string(photo) }
        claims["firebase"] = .object([
            "identities": .object(Self.identities(of: account, identities)),
            "sign_in_provider": .string(session.providerID),
        ])
        return claims
    }

    /// The subjects at each provider, and the email of the account under `email`.
    private static func identities(of account: Account, _ identities: [AccountIdentity]) -> JSONObject {
        var members = JSONObject()
        for identity in identities {
            let providerID = identity.verified.providerID
            let others = members[providerID]?.arrayValue ?? []
            members[providerID] = .array(others + [.string(identity.key.subject)])
        }
        if let email = account.email { members["email"] = .array([.string(email.text)]) }
        return members
    }
}
