// SPDX-License-Identifier: Apache-2.0

import JOSE

/// Something that happened to an account, for a server that follows the accounts.
public struct AccountEvent: Sendable, Hashable {
    /// What happened.
    package enum Kind: String, Sendable, CaseIterable {
        case created, linked, unlinked, updated, disabled, enabled, deleted
        case firstSignIn = "first_sign_in"
        case sessionsEnded = "sessions_ended"
    }

    /// The identifier, 22 characters of base64url. An event that arrives again has the same one.
    public let id: String
    /// What happened: `account.created`, `account.first_sign_in`, `account.linked`, `account.unlinked`,
    /// `account.updated`, `account.disabled`, `account.enabled`, `account.deleted` or `account.sessions_ended`. A later
    /// version may have more.
    public let type: String
    /// The account.
    public let account: AccountID
    /// When it happened, in seconds since 1970.
    public let time: Int64
    /// The event as the text of a JSON object, which a webhook receives.
    public let json: String

    /// Creates an event that a store has kept.
    /// - Parameters:
    ///   - id: The identifier.
    ///   - type: What happened.
    ///   - account: The account.
    ///   - time: When it happened, in seconds since 1970.
    ///   - json: The text of the JSON object.
    public init(id: String, type: String, account: AccountID, time: Int64, json: String) {
        self.id = id
        self.type = type
        self.account = account
        self.time = time
        self.json = json
    }

    /// Creates an event with a new identifier.
    /// - Parameters:
    ///   - kind: What happened.
    ///   - provider: The ID of the provider that it is about; `nil` if it is about none.
    ///   - account: The account afterwards, or before it was deleted.
    ///   - identities: The identities of that account.
    ///   - time: When it happened, in seconds since 1970.
    package init(
        _ kind: Kind, provider: String?, of account: Account, _ identities: [AccountIdentity], at time: Int64
    ) {
        let (id, type) = (Base64URL.encode(SecureRandom.bytes(16)), "account.\(kind.rawValue)")
        var json: JSONObject = [
            "type": .string(type), "jti": .string(id), "iat": .number(JSONNumber(time)),
            "uid": .string(account.id.text),
        ]
        if let provider { json["provider"] = .string(provider) }
        json["account"] = .object(account.eventMembers(identities))
        self.init(
            id: id, type: type, account: account.id, time: time,
            json: String(decoding: json.serialized(), as: UTF8.self))
    }
}

extension Account {
    /// The account as the receiver of an event sees it. What is absent is left out.
    fileprivate func eventMembers(_ identities: [AccountIdentity]) -> JSONObject {
        var json: JSONObject = [
            "created_at": .number(JSONNumber(createdAt)), "last_sign_in_at": .number(JSONNumber(lastSignInAt)),
            "disabled": .bool(isDisabled),
        ]
        if let email { (json["email"], json["email_verified"]) = (.string(email.text), .bool(isEmailVerified)) }
        if let displayName { json["display_name"] = .string(displayName) }
        if let photoURL { json["photo_url"] = .string(photoURL) }
        if let customClaims { json["custom_claims"] = .object(customClaims.members) }
        json["identities"] = .array(
            identities.map { identity in
                .object([
                    "provider": .string(identity.verified.providerID), "upstream_iss": .string(identity.key.issuer),
                    "upstream_sub": .string(identity.key.subject),
                ])
            })
        return json
    }
}
