// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Which profile of the protocol a provider speaks: `auth.provider.<name>.kind`.
    public struct ProviderKind: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case oidc
            case apple
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// Any OpenID Provider.
        public static let oidc = Self(.oidc)
        /// Sign in with Apple: a Services ID, and the key that the team made for it.
        public static let apple = Self(.apple)

        /// A kind from its name in the configuration; nil for one that is not known.
        public init?(name: String) {
            guard let kind = Kind(rawValue: name) else { return nil }
            self.init(kind)
        }

        /// The name in the configuration.
        public var name: String { kind.rawValue }

        /// The provider id where none is configured.
        func defaultID(name: String) -> String {
            switch kind {
            case .oidc: "oidc.\(name)"
            case .apple: "apple.com"
            }
        }

        public var description: String { name }
    }
}
