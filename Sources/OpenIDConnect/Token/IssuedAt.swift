// SPDX-License-Identifier: Apache-2.0

/// The `iat` of the tokens that are signed here.
///
/// Many verifiers, such as PyJWT, joserfc and google-auth, allow a token from the future no leeway at all, so that one whose
/// clock is a second behind would refuse every new token. Everything else, such as `exp`, is reckoned from the current
/// time.
package enum IssuedAt {
    /// How far `iat` lies before the current time, in seconds.
    package static let allowance: Int64 = 5

    /// Returns the `iat` of a token that is signed now.
    /// - Parameter now: The current time, in seconds since 1970.
    package static func claim(now: Int64) -> Int64 { now - allowance }
}
