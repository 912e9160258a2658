// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A verified logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4): the provider says that a user's
/// session at it ended.
///
/// The provider may send the same token again, so handling it must be idempotent, or its ``identifier`` must be
/// remembered.
public struct BackChannelLogout: Sendable, Hashable {
    /// The `jti`, which identifies the token: 1 to 255 bytes.
    public let identifier: String
    /// The time at which the provider signed the token, in seconds since 1970.
    public let issuedAt: Int64
    /// The user's `sub` as in ID tokens, at most 255 ASCII characters; `nil` if the token names only a session.
    public let subject: String?
    /// The `sid` of the session that ended, at most 255 bytes; `nil` if all sessions of ``subject`` did.
    public let sessionID: String?

    /// Whether the provider revokes offline access as well, as Keycloak says by the event `revoke_offline_access`.
    public let revokesOfflineAccess: Bool

    /// The name of the event of every logout token.
    package static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// The maximum length of an identifier, in bytes.
    private static let longestIdentifier = 255

    /// Creates a logout from a token whose signature, issuer, audience and times were verified (section 2.6).
    /// - Throws: ``SecurityEventError`` if the token is not a logout token.
    init(_ token: VerifiedPayload) throws(SecurityEventError) {
        let claims = token.claims
        if let type = token.type, !["jwt", "logout+jwt"].contains(type.ascii(atMost: 32)?.lowercased()) {
            throw .token("'typ' is not logout+jwt")
        }
        guard let events = claims["events"]?.objectValue, events[Self.event]?.objectValue != nil else {
            throw .token("'events' has no logout")
        }
        // Keycloak's value is true.
        revokesOfflineAccess = events["revoke_offline_access"].map { $0.boolValue ?? true } ?? false
        // An ID token has a nonce, and must not be taken for a logout token.
        guard claims["nonce"] == nil else { throw .token("there is a 'nonce'") }
        guard claims["exp"] != nil else { throw .token("'exp' is missing") }
        func text(_ name: String) throws(SecurityEventError) -> String? {
            guard let value = claims.present(name) else { return nil }
            guard let text = value.text?.printableASCII(atMost: Self.longestIdentifier) else {
                throw .token("'\(name)' is not 1 to \(Self.longestIdentifier) printable characters")
            }
            return text
        }
        guard let identifier = try text("jti"), let issuedAt = claims["iat"]?.secondsValue else {
            throw .token("'jti' or 'iat' is missing")
        }
        self.identifier = identifier
        self.issuedAt = issuedAt
        subject = try text("sub")
        sessionID = try text("sid")
        guard subject != nil || sessionID != nil else { throw .token("'sub' and 'sid' are missing") }
    }

    /// Returns the `sid` of an ID token, as a logout token may name it; `nil` if it has none.
    package static func sessionID(of claims: JSONObject) -> String? {
        claims["sid"]?.text?.printableASCII(atMost: longestIdentifier).flatMap { $0.isEmpty ? nil : $0 }
    }
}
