// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Whether an app's native credentials must be bound to a nonce: `auth.app.<name>.native-nonce`. It holds for every
    /// kind of provider.
    public enum NativeNonce: String, Sendable, Hashable {
        /// A credential without a nonce is refused, also if the provider says that it supports none.
        case required
        /// A credential may have no nonce. If the token has one, the raw nonce must be presented, and the other way
        /// round, except if Apple's token says that there can be none (`nonce_supported: false`).
        case optional
    }
}
