// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Which claims an app's ID tokens have: `auth.app.<name>.id-token-claims`.
    public enum IDTokenClaims: String, Sendable, Hashable {
        /// Those of the token and of the user. UserInfo has those of the user as well.
        case all
        /// Those of the token alone, with the `sub`. UserInfo has the others.
        case minimal
    }
}
