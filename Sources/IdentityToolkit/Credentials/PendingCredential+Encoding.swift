// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

// The content of a sealed credential: JSON, since the claims are JSON already. No other party can write it.
extension PendingCredential {
    /// The credential as the text of a JSON object.
    var encoded: [UInt8] { members.serialized() }

    /// The members of the object, which may be a part of another one.
    var members: JSONObject {
        var object: JSONObject = [
            "iss": .string(identity.key.issuer),
            "sub": .string(identity.key.subject),
            "provider": .string(identity.providerID),
            "proved": .bool(identity.isEmailProved),
            "relay": .bool(identity.isPrivateRelay),
            "claims": .object(claims),
            "id_token": .string(idToken),
            "at": .number(JSONNumber(verifiedAt)),
            "auth_time": .number(JSONNumber(authTime)),
            "random": .string(Base64URL.encode(random)),
        ]
        if let email = identity.email { object["email"] = .string(email.text) }
        if let key = identity.importedKey {
            object["imported"] = ["iss": .string(key.issuer), "sub": .string(key.subject)]
        }
        if let session = identity.providerSession { object["session"] = .string(Base64URL.encode(session)) }
        if let name = identity.displayName { object["name"] = .string(name) }
        if let photo = identity.photoURL { object["picture"] = .string(photo) }
        if let accessToken { object["access_token"] = .string(accessToken) }
        if let accessTokenExpiry { object["access_token_exp"] = .number(JSONNumber(accessTokenExpiry)) }
        if let account { object["account"] = .string(account.text) }
        if let origin {
            object["origin"] = [
                "hash": .string(Base64URL.encode(origin.hash)), "exp": .number(JSONNumber(origin.expiry)),
            ]
        }
        return object
    }

    /// Reads what ``encoded`` wrote; `nil` if it did not write this.
    init?(encoded: [UInt8]) {
        guard let object = JSONObjectText(bytes: encoded)?.object else { return nil }
        self.init(members: object)
    }

    /// Reads ``members``; `nil` if these are others.
    init?(members object: JSONObject) {
        guard let issuer = Self.text("iss", of: object), let subject = Self.text("sub", of: object),
            let providerID = Self.text("provider", of: object), let isProved = object["proved"]?.boolValue,
            let isPrivateRelay = object["relay"]?.boolValue, let claims = object["claims"]?.objectValue,
            let idToken = Self.text("id_token", of: object), let verifiedAt = object["at"]?.integerValue,
            let authTime = object["auth_time"]?.integerValue,
            let random = object["random"]?.text.flatMap({ Base64URL.decode($0) }),
            random.count == Self.randomByteCount
        else { return nil }
        var origin: TokenUse?
        if let member = object["origin"] {
            // Without its origin the credential would leave the native ID token unused.
            guard let hash = member.objectValue?["hash"]?.text.flatMap({ Base64URL.decode($0) }),
                let expiry = member.objectValue?["exp"]?.integerValue
            else { return nil }
            origin = TokenUse(hash: hash, expiry: expiry)
        }
        var account: AccountID?
        if let member = object["account"] {
            // Without its account the credential would do everything.
            guard let id = member.text.flatMap({ AccountID($0) }) else { return nil }
            account = id
        }
        var identity = VerifiedIdentity(
            IdentityKey(issuer: issuer, subject: subject), providerID: providerID,
            email: Self.text("email", of: object).flatMap { EmailAddress($0) }, isEmailProved: isProved,
            isPrivateRelay: isPrivateRelay, displayName: Self.text("name", of: object),
            photoURL: Self.text("picture", of: object))
        if let imported = object["imported"]?.objectValue, let issuer = Self.text("iss", of: imported),
            let subject = Self.text("sub", of: imported)
        {
            identity.importedKey = IdentityKey(issuer: issuer, subject: subject)
        }
        identity.providerSession = object["session"]?.text.flatMap { Base64URL.decode($0) }
        self.init(
            identity,
            claims: claims, idToken: idToken, accessToken: Self.text("access_token", of: object),
            accessTokenExpiry: object["access_token_exp"]?.integerValue, verifiedAt: verifiedAt, authTime: authTime,
            origin: origin, account: account, random: random)
    }

    private static func text(_ name: String, of object: JSONObject) -> String? {
        object[name]?.text?.makeString()
    }
}
