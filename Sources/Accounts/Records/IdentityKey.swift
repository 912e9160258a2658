// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What identifies a user at a provider: the issuer and the subject of a verified ID token (OpenID Connect Core 1.0
/// section 2). Neither the provider's configured name nor an email is ever a key.
public struct IdentityKey: Sendable, Hashable {
    /// The `iss` of the ID token.
    public let issuer: String
    /// The `sub` of the ID token.
    public let subject: String

    /// Creates a key from a verified token.
    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// Whether both are the same code points. Unicode's canonical equivalence, by which texts are equal otherwise, would
    /// make one user of two.
    public static func == (left: IdentityKey, right: IdentityKey) -> Bool {
        left.issuer.hasSameBytes(as: right.issuer) && left.subject.hasSameBytes(as: right.subject)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(WireText(issuer))
        hasher.combine(WireText(subject))
    }
}
