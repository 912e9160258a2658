// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A server-to-server notification from Apple about a user's account, whose signature, issuer, audience and times
/// were validated.
///
/// Apple repeats a notification until the response is 200. Handling it must therefore be idempotent, or its
/// ``identifier`` must be remembered.
public struct AppleNotification: Sendable, Hashable {
    /// The kind of event that a notification reports.
    public enum Kind: Sendable, Hashable, CustomStringConvertible {
        /// Mail to the user's relay address no longer arrives, because the user turned it off.
        case emailDisabled
        /// Mail to the user's relay address arrives again.
        case emailEnabled
        /// The user no longer uses the app with Apple. Apple has revoked its tokens, and its sessions should end.
        case consentRevoked
        /// The user's Apple Account was permanently deleted.
        case accountDeleted
        /// A kind that this version does not know, with Apple's name for it.
        case unknown(String)

        /// Creates a kind from Apple's name for it. Both spellings of a deleted account are known.
        public init(name: String) {
            if name.hasSameBytes(as: "email-disabled") {
                self = .emailDisabled
            } else if name.hasSameBytes(as: "email-enabled") {
                self = .emailEnabled
            } else if name.hasSameBytes(as: "consent-revoked") {
                self = .consentRevoked
            } else if name.hasSameBytes(as: "account-delete") || name.hasSameBytes(as: "account-deleted") {
                self = .accountDeleted
            } else {
                self = .unknown(name)
            }
        }

        /// Apple's name for the kind. It is `account-deleted` for both spellings of that one.
        public var description: String {
            switch self {
            case .emailDisabled: "email-disabled"
            case .emailEnabled: "email-enabled"
            case .consentRevoked: "consent-revoked"
            case .accountDeleted: "account-deleted"
            case .unknown(let name): name
            }
        }
    }

    /// The kind of event.
    public let kind: Kind
    /// The `jti`, which identifies this notification: 1 to 255 bytes.
    public let identifier: String
    /// The client ID to which the notification is addressed: the Services ID or a bundle ID.
    public let audience: String
    /// The time at which Apple signed the notification, in seconds since 1970.
    public let issuedAt: Int64
    /// The user's `sub` as in ID tokens. It is present for every known kind.
    public let subject: String?
    /// The email, for the kinds that concern one.
    public let email: String?
    /// Whether the email hides the user's own; `nil` if Apple does not specify it.
    public let isPrivateEmail: Bool?
    /// The time of the event, in seconds since 1970; `nil` if Apple does not specify it.
    public let eventTime: Int64?

    private let event: JSONObject

    /// The event as Apple wrote it, as JSON (UTF-8), for members that this version does not know.
    public var json: [UInt8] { event.serialized() }

    /// Creates a notification from an event whose token was verified.
    /// - Throws: ``AppleNotificationError`` if the event is not one of Apple's, or is of a known kind without a `sub`.
    package init(_ token: VerifiedPayload) throws(AppleNotificationError) {
        let claims = token.claims
        let event = try Self.event(of: claims["events"])
        guard let name = event["type"]?.text?.makeString(), (1...255).contains(name.utf8.count) else {
            throw .unreadable("'type' is not 1 to 255 bytes of text")
        }
        guard let identifier = claims["jti"]?.text?.makeString(), let issuedAt = claims["iat"]?.secondsValue else {
            throw .unreadable("'jti' or 'iat' is missing")
        }
        let subject = event["sub"]?.text?.makeString()
        if let subject {
            guard (1...255).contains(subject.utf8.count) else { throw .unreadable("'sub' is not 1 to 255 bytes") }
        }
        kind = Kind(name: name)
        if subject == nil {
            guard case .unknown = kind else { throw .unreadable("'sub' is missing") }
        }
        self.event = event
        self.identifier = identifier
        self.issuedAt = issuedAt
        self.subject = subject
        audience = (claims["aud"]?.text ?? claims["aud"]?.arrayValue?.first?.text)?.makeString() ?? ""
        email = event["email"]?.text?.makeString()
        isPrivateEmail = event["is_private_email"].flatMap(AppleClaims.boolean)
        eventTime = event["event_time"]?.secondsValue.map(Self.seconds)
    }

    /// Parses the `events` claim, which Apple documents as an object but sends as the text of one.
    private static func event(of claim: JSONValue?) throws(AppleNotificationError) -> JSONObject {
        if let event = claim?.objectValue { return event }
        guard let text = claim?.text else { throw .unreadable("'events' is neither text nor an object") }
        do {
            return try JSONParser.object(
                Array(text.utf8), limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken))
        } catch {
            throw .unreadable("'events': \(error)")
        }
    }

    /// Converts a time to seconds. Apple documents seconds but sends milliseconds: a value past the year 5138 is taken
    /// for the latter.
    private static func seconds(_ time: Int64) -> Int64 { time >= 100_000_000_000 ? time / 1000 : time }
}
