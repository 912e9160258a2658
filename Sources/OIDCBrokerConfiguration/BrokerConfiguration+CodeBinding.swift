// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// How an app's hand-off codes are bound to the authorization request: `auth.app.<name>.code-binding` (RFC 9700
    /// section 2.1.1).
    public enum CodeBinding: String, Sendable, Hashable {
        /// Every request has a `code_challenge`, and its code is redeemed with the `code_verifier` only.
        case pkce
        /// A request may have no `code_challenge` if it has a `nonce`, which the app compares with that of the ID token.
        /// This is for confidential apps only.
        case nonce
    }
}
