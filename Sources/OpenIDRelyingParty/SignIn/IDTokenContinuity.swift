// SPDX-License-Identifier: Apache-2.0

/// Of whom an ID token must be, since something said so before it: an earlier ID token (OpenID Connect Core 1.0 sections
/// 3.3.3.6 and 12.2), or `iss` of the callback (RFC 9207).
package struct IDTokenContinuity: Sendable, Hashable {
    /// The `iss` of before.
    package var issuer: String
    /// The earlier token's `sub`; `nil` if nobody is known yet.
    package var subject: String?

    package init(issuer: String, subject: String?) {
        self.issuer = issuer
        self.subject = subject
    }
}
