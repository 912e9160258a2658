// SPDX-License-Identifier: Apache-2.0

/// A part of a sign-in whose latency is measured, or an operation on accounts.
package enum SignInPart: String, Sendable, Hashable, CaseIterable, Codable {
    /// The start request, up to the redirect to the provider.
    case start
    /// The provider's response at the callback, up to the response that carries the credential.
    case callback
    /// The conversion of the credential into the user's subject: the redemption of a code, or a page that requires the
    /// session.
    case redeem
    /// Start and callback together from the intended start, without the time at the provider.
    case whole
    /// A lookup of the account of a session.
    case lookup
    /// A refresh of a session.
    case refresh
    /// A sign-in with a native ID token of a user who has an account.
    case known
    /// The same of a user who has none.
    case new
}
