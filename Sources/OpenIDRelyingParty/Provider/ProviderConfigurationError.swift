// SPDX-License-Identifier: Apache-2.0

/// An error in a ``ProviderConfiguration``: the member it is about and what was expected of it.
///
/// It contains no value, since that may be a secret.
public struct ProviderConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// Another member requires a value, and there is none.
        public static let missing = Self("missing")
        /// The value cannot be used.
        public static let invalid = Self("invalid")
        /// The value does not go with that of another member.
        public static let conflicting = Self("conflicting")

        public var description: String { name }
    }

    /// A member of the configuration, such as `\ProviderConfiguration.issuer`.
    public typealias Member = any PartialKeyPath<ProviderConfiguration> & Sendable

    /// The kind of the error.
    public let code: Code
    /// The member that the error is about.
    public let member: Member
    /// What was expected of the member. It completes the sentence "expected …".
    public let expected: String

    package init(_ code: Code, _ member: Member, _ expected: String) {
        self.code = code
        self.member = member
        self.expected = expected
    }

    public var description: String {
        let path = "\(member)"
        return "\(path.split(separator: ".").last ?? path[...]): expected \(expected)"
    }
}
