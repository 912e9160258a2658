// SPDX-License-Identifier: Apache-2.0

/// Everything that is wrong with a configuration, found in one go.
public struct BrokerConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in the order of the keys' documentation; never empty where the broker throws it.
    public let errors: [ConfigurationError]

    /// An error that carries these errors.
    public init(errors: [ConfigurationError]) {
        self.errors = errors
    }

    /// One error a line.
    public var description: String {
        errors.map(\.description).joined(separator: "\n")
    }
}
