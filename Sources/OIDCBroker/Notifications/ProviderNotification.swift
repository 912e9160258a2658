// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
public import SignInWithApple

/// A verified notification of a provider about an account.
public struct ProviderNotification: Sendable, Hashable {
    /// The provider's ID, as in ID tokens of the broker.
    public let provider: String
    /// The subject, the `sub` in ID tokens of the broker; `nil` if the notification is not about a user.
    public let subject: String?
    /// The provider's issuer, the `upstream_iss` in ID tokens of the broker.
    public let issuer: String
    /// The notification from Apple.
    public let notification: AppleNotification

    init(_ notification: AppleNotification, from provider: ProviderEntry) {
        self.provider = provider.id
        issuer = provider.relyingParty.configuration.issuer
        subject = notification.subject.map {
            SubjectIdentifier.derive(issuer: provider.relyingParty.configuration.issuer, subject: $0)
        }
        self.notification = notification
    }

    /// The body of a webhook. Its `type` is a known one or `unknown`; its `name` is the provider's own.
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

    /// The name as the provider wrote it, which for a deleted account is one of two spellings.
    private var name: String { event?["type"]?.text?.makeString() ?? notification.kind.description }

    private var event: JSONObject? {
        try? JSONParser.object(notification.json, limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken))
    }
}
