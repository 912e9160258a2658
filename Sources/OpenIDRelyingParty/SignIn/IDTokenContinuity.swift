// SPDX-License-Identifier: Apache-2.0

/// The issuer and subject that an ID token must have because they are already known: from an earlier ID token (OpenID
/// Connect Core 1.0 sections 3.3.3.6 and 12.2), or from the `iss` of the callback (RFC 9207).
package struct IDTokenContinuity: Sendable, Hashable {
    /// The required `iss`.
    package var issuer: String
    /// The required `sub`; `nil` if the subject is not known yet.
    package var subject: String?
}
