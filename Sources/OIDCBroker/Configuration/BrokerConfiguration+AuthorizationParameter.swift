// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// A parameter that every authorization request to a provider carries: `name=value` in
    /// `auth.provider.<name>.authorization-parameters`.
    public struct AuthorizationParameter: Sendable, Hashable {
        /// The parameter's name; none of those that carry the protocol.
        public var name: String
        /// The parameter's value, not encoded.
        public var value: String

        /// A parameter of that name and value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Reads `name=value`; `nil` if there is no `=`.
        init?(text: String) {
            guard let mark = text.firstIndex(of: "=") else { return nil }
            self.init(name: String(text[..<mark]), value: String(text[text.index(after: mark)...]))
        }
    }
}
