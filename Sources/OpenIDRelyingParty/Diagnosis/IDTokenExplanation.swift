// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// Everything that validation looks at in an ID token, for an operator who wants to know why it is refused.
///
/// ``header`` and ``claims`` are the token's own, whether or not anything of it holds.
package struct IDTokenExplanation: Sendable {
    /// What came of a check.
    package enum Verdict: String, Sendable, Hashable {
        /// The token meets it.
        case pass
        /// The token does not, and is refused.
        case fail
        /// It was not made, because something is not known here that a sign-in knows.
        case skip
    }

    /// A value of the sign-in that a token belongs to, which may not be known here.
    package enum SignInValue: String, Sendable, Hashable {
        case nonce = "the nonce that was sent"
        case subject = "the subject of an earlier token"
        case maximumAge = "the max_age that was sent, if any"
        case accessToken = "the access token"
        case code = "the code"
        case state = "the state"
    }

    /// A check and what came of it. The texts are printable ASCII.
    package struct Check: Sendable, Hashable {
        /// The name, for example `issuer`.
        package let name: String
        package let verdict: Verdict
        package let wanted: String
        package let found: String
        /// What would have to be known to make the check; `nil` if that is not why it was not made.
        package let unknown: SignInValue?
    }

    /// A key of the key set and what it has to do with the token.
    package struct Key: Sendable, Hashable {
        /// The `kid` as far as it may be shown; `none` without one.
        package let name: String
        /// Whether the key made the token's signature.
        package let isSigner: Bool
        /// Why it was chosen, or was not.
        package let reason: String
    }

    /// The header; `nil` if it cannot be read.
    package var header: JSONObject?
    /// The claims; `nil` if they cannot be read, as in a token that is encrypted for another.
    package var claims: JSONObject?
    /// The keys, the usable ones first.
    package var keys: [Key] = []
    /// The checks in the order in which they are made at a sign-in: the token, its signature, its claims.
    package var checks: [Check] = []

    /// Whether no check failed.
    package var holds: Bool { !checks.contains { $0.verdict == .fail } }
}
