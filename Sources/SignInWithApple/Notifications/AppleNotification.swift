// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// What Apple tells a server of a person's account: a server-to-server notification whose signature, issuer, audience
/// and times hold.
///
/// Apple sends it again until it is answered with 200: what is done about it must do no harm a second time, or be
/// remembered by ``identifier``.
public struct AppleNotification: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable, CustomStringConvertible {
        /// Mail to the person's relay address no longer arrives: they turned it off.
        case emailDisabled
        /// Mail to the person's relay address arrives again.
        case emailEnabled
        /// The person no longer uses the app with Apple: tokens are revoked, and sessions should end.
        case consentRevoked
        /// The person's Apple Account is deleted for good.
        case accountDeleted
        /// Something that Apple added since, by its own name.
        case unknown(String)

        /// A kind from Apple's name for it; both spellings of a deleted account are known.
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

        /// Apple's name for it; `account-deleted` for both of that one's spellings.
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

    /// What happened.
    public let kind: Kind
    /// `jti`, which is this notification's alone: 1 to 255 bytes.
    public let identifier: String
    /// The client id it is meant for: the Services ID or a bundle id.
    public let audience: String
    /// When Apple signed it, seconds since 1970.
    public let issuedAt: Int64
    /// The person, as ID tokens name them; there for every known kind.
    public let subject: String?
    /// The address that the kinds about e-mail are about.
    public let email: String?
    /// Whether that address hides the person's own; `nil` if Apple does not say.
    public let isPrivateEmail: Bool?
    /// When it happened, seconds since 1970; `nil` if Apple does not say.
    public let eventTime: Int64?

    private let event: JSONObject

    /// The event as Apple wrote it, JSON (UTF-8): for what a later Apple adds.
    public var json: [UInt8] { event.serialized() }

    /// Reads an event that is verified already.
    /// - Throws: ``AppleNotificationError`` where it is not one of Apple's, or a known kind names nobody.
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

    /// Apple documents `events` as an object and sends the text of one.
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

    /// Apple documents seconds and sends milliseconds: what would be after the year 5138 is those.
    private static func seconds(_ time: Int64) -> Int64 { time >= 100_000_000_000 ? time / 1000 : time }
}
