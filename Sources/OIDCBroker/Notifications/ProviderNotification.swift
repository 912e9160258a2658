// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
public import SignInWithApple

/// What a provider told the broker of a person's account, verified.
public struct ProviderNotification: Sendable, Hashable {
    /// The provider's id, as ID tokens of the broker name it.
    public let provider: String
    /// The person, as ID tokens of the broker name them: `sub`; `nil` if the notification is about nobody.
    public let subject: String?
    /// The provider's issuer: `upstream_iss` of the broker's ID tokens.
    public let issuer: String
    /// What Apple said.
    public let notification: AppleNotification

    init(_ notification: AppleNotification, from provider: ProviderEntry) {
        self.provider = provider.id
        issuer = provider.relyingParty.configuration.issuer
        subject = notification.subject.map {
            SubjectIdentifier.derive(issuer: provider.relyingParty.configuration.issuer, subject: $0)
        }
        self.notification = notification
    }

    /// The body of a webhook. `type` is one that is known here, or `unknown`; `name` is the provider's own.
    var json: JSONObject {
        var json: JSONObject = [
            "type": .string(type),
            "name": .string(name),
            "provider": .string(provider),
            "jti": .string(notification.identifier),
            "iat": .number(JSONNumber(notification.issuedAt)),
            "upstream_iss": .string(issuer),
            "upstream_aud": .string(notification.audience),
        ]
        if let subject { json["sub"] = .string(subject) }
        if let subject = notification.subject { json["upstream_sub"] = .string(subject) }
        if let email = notification.email { json["email"] = .string(email) }
        if let isPrivate = notification.isPrivateEmail { json["is_private_email"] = .bool(isPrivate) }
        if let time = notification.eventTime { json["event_time"] = .number(JSONNumber(time)) }
        if let event { json["event"] = .object(event) }
        return json
    }

    private var type: String {
        switch notification.kind {
        case .unknown: "unknown"
        default: notification.kind.description
        }
    }

    /// The name as the provider wrote it, of the two spellings of a deleted account either.
    private var name: String { event?["type"]?.text?.makeString() ?? notification.kind.description }

    private var event: JSONObject? {
        try? JSONParser.object(notification.json, limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken))
    }
}
