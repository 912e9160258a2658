// SPDX-License-Identifier: Apache-2.0

/// A part of a sign-in whose latency is measured.
package enum SignInPart: String, Sendable, Hashable, CaseIterable, Codable {
    /// The start request, up to the redirect to the provider.
    case start
    /// The provider's response at the callback, up to the response that carries the credential.
    case callback
    /// What turns the credential into the person's subject: the redemption of a code, or a page that needs the session.
    case redeem
    /// Start and callback together, counted from the intended start; not what happens at the provider in between.
    case whole
}
