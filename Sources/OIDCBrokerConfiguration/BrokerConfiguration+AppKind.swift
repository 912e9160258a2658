// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// How an app gets the sign-ins of its users: `auth.app.<name>.kind`.
    public enum AppKind: String, Sendable, Hashable {
        /// The app is an OpenID client, which redeems a code at the token endpoint.
        case oidc
        /// The app is the server that embeds the broker, whose `SignInHandler` gets each sign-in.
        case inProcess = "in-process"
    }
}
