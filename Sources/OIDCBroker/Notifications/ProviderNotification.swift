// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerState
public import OpenIDRelyingParty
public import SignInWithApple

/// A verified notification of a provider about an account.
public struct ProviderNotification: Sendable, Hashable {
    /// What a provider notifies about.
    public enum Event: Sendable, Hashable {
        /// A notification from Apple about an account.
        case apple(AppleNotification)
        /// A session at the provider ended (OpenID Connect Back-Channel Logout 1.0).
        case logout(BackChannelLogout)
    }

    /// The provider's ID, as in ID tokens of the broker.
    public let provider: String
    /// The subject, the `sub` in ID tokens of the broker; `nil` if the notification is not about a user.
    public let subject: String?
    /// The provider's issuer, the `upstream_iss` in ID tokens of the broker.
    public let issuer: String
    /// The event.
    public let event: Event

    /// The client IDs of the apps whose refresh tokens outlive a session at the provider.
    package let appsThatOutliveLogout: Set<String>

    init(_ event: Event, from provider: ProviderEntry, appsThatOutliveLogout: Set<String>) {
        self.appsThatOutliveLogout = appsThatOutliveLogout
        self.provider = provider.id
        issuer = provider.relyingParty.configuration.issuer
        let upstreamSubject =
            switch event {
            case .apple(let notification): notification.subject
            case .logout(let logout): logout.subject
            }
        subject = upstreamSubject.map {
            SubjectIdentifier.derive(issuer: provider.relyingParty.configuration.issuer, subject: $0)
        }
        self.event = event
    }

    /// The `jti`.
    var identifier: String {
        switch event {
        case .apple(let notification): notification.identifier
        case .logout(let logout): logout.identifier
        }
    }

    /// The body of a webhook. Its `type` is a known one or `unknown`; its `name` is the provider's own.
    var json: JSONObject {
        var json: JSONObject = ["provider": .string(provider), "upstream_iss": .string(issuer)]
        if let subject { json["sub"] = .string(subject) }
        switch event {
        case .apple(let notification): Self.add(notification, to: &json)
        case .logout(let logout): Self.add(logout, to: &json)
        }
        return json
    }

    private static func add(_ logout: BackChannelLogout, to json: inout JSONObject) {
        json["type"] = "logout"
        json["name"] = .string(BackChannelLogout.event)
        json["jti"] = .string(logout.identifier)
        json["iat"] = .number(JSONNumber(logout.issuedAt))
        if let subject = logout.subject { json["upstream_sub"] = .string(subject) }
        if let sessionID = logout.sessionID { json["sid"] = .string(sessionID) }
    }

    private static func add(_ notification: AppleNotification, to json: inout JSONObject) {
        let event = try? JSONParser.object(
            notification.json, limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken))
        let kind = notification.kind.description
        if case .unknown = notification.kind { json["type"] = "unknown" } else { json["type"] = .string(kind) }
        // The name as Apple wrote it, which for a deleted account is one of two spellings.
        json["name"] = .string(event?["type"]?.text?.makeString() ?? kind)
        json["jti"] = .string(notification.identifier)
        json["iat"] = .number(JSONNumber(notification.issuedAt))
        json["upstream_aud"] = .string(notification.audience)
        if let subject = notification.subject { json["upstream_sub"] = .string(subject) }
        if let email = notification.email { json["email"] = .string(email) }
        if let isPrivate = notification.isPrivateEmail { json["is_private_email"] = .bool(isPrivate) }
        if let time = notification.eventTime { json["event_time"] = .number(JSONNumber(time)) }
        if let event { json["event"] = .object(event) }
    }
}
