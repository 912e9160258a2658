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
        /// A request may have neither, for clients that send neither: it is left to the client to defend itself against an
        /// injected code (RFC 9700 section 2.1.1). A `code_challenge` that was sent needs its `code_verifier`, and a `nonce`
        /// is returned. This is for confidential apps with https redirect URIs only, without response mode `fragment`.
        case none
    }
}
