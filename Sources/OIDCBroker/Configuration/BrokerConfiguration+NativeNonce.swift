// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Whether an app's native credentials must be bound to a nonce: `auth.app.<name>.native-nonce`. It holds for every
    /// kind of provider.
    public struct NativeNonce: Sendable, Hashable, CustomStringConvertible {
        private enum Rule: String {
            case required
            case optional
        }

        private let rule: Rule

        private init(_ rule: Rule) {
            self.rule = rule
        }

        /// A credential without a nonce is refused, also where the provider says that it supports none.
        public static let required = Self(.required)
        /// A credential may have none. Where the token has one the raw nonce must come along, and the other way round,
        /// except where Apple's token says that there can be none (`nonce_supported: false`).
        public static let optional = Self(.optional)

        /// A rule from its name in the configuration; nil for one that is not known.
        public init?(name: String) {
            guard let rule = Rule(rawValue: name) else { return nil }
            self.init(rule)
        }

        /// The name in the configuration.
        public var name: String { rule.rawValue }

        public var description: String { name }
    }
}
