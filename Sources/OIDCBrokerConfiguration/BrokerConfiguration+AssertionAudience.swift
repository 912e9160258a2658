// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// The audience of an app's client assertions: `auth.app.<name>.assertion-audience`.
    public enum AssertionAudience: String, Sendable, Hashable {
        /// The issuer of the broker alone (RFC 10070).
        case issuer
        /// The URL of the token endpoint alone, for apps whose library sends nothing else (OpenID Connect Core 1.0
        /// section 9).
        case tokenEndpoint = "token-endpoint"
    }
}
