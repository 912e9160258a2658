// SPDX-License-Identifier: Apache-2.0

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
