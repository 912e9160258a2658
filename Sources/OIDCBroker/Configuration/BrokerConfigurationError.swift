// SPDX-License-Identifier: Apache-2.0

/// Everything that is wrong with a configuration, found in one go.
public struct BrokerConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in the order of the keys' documentation; never empty where the broker throws it.
    public let mistakes: [ConfigurationMistake]

    /// An error that carries these mistakes.
    public init(mistakes: [ConfigurationMistake]) {
        self.mistakes = mistakes
    }

    /// One mistake a line.
    public var description: String {
        mistakes.map(\.description).joined(separator: "\n")
    }
}
