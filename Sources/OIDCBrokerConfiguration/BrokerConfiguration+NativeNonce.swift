// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Whether an app's native credentials must be bound to a nonce: `auth.app.<name>.native-nonce`. It holds for every
    /// kind of provider.
    public enum NativeNonce: String, Sendable, Hashable {
        /// A credential without a nonce is refused, also if the provider says that it supports none.
        case required
        /// A credential may have no raw nonce. The token's nonce is then not compared, since SDKs of providers send one
        /// that the app does not know. A raw nonce that is presented must be the token's, except if Apple's token says
        /// that there can be none (`nonce_supported: false`).
        case optional
    }
}
