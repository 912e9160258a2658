// SPDX-License-Identifier: Apache-2.0

/// An error in a configuration: the key and what was expected of its value.
///
/// It never contains the value, since that may be a secret.
public struct ConfigurationError: Sendable, Hashable, CustomStringConvertible {
    /// The key, such as `auth.public-url`. An unknown key is spelled as in its source.
    public let key: String
    /// The source of the value, such as `environment`; `nil` if there is no value or its source is not known.
    public let source: String?
    /// What was expected. It completes the sentence "expected …".
    public let expected: String

    /// Creates an error at a key.
    public init(key: String, source: String? = nil, expected: String) {
        self.key = key
        self.source = source
        self.expected = expected
    }

    public var description: String {
        guard let source else { return "\(key): expected \(expected)" }
        return "\(key) (from \(source)): expected \(expected)"
    }
}

/// All errors of a configuration.
public struct BrokerConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The errors, in the order in which the keys are documented. It is never empty if the broker throws it.
    public let errors: [ConfigurationError]

    /// Creates an error of these errors.
    public init(errors: [ConfigurationError]) {
        self.errors = errors
    }

    /// The errors, one on each line.
    public var description: String {
        errors.map(\.description).joined(separator: "\n")
    }
}
