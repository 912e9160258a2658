// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Whether an app's native credentials must be bound to a nonce: `auth.app.<name>.native-nonce`. It holds for every
    /// kind of provider.
    public struct NativeNonce: Sendable, Hashable, CustomStringConvertible {
        /// The name in the configuration.
        public let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// A credential without a nonce is refused, also where the provider says that it supports none.
        public static let required = Self("required")
        /// A credential may have none. Where the token has one the raw nonce must come along, and the other way round,
        /// except where Apple's token says that there can be none (`nonce_supported: false`).
        public static let optional = Self("optional")

        /// Creates a rule from its name in the configuration; `nil` if it is unknown.
        public init?(name: String) {
            guard let rule = [Self.required, .optional].first(where: { $0.name == name }) else { return nil }
            self = rule
        }

        public var description: String { name }
    }
}
