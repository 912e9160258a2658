// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The provider's signing key.
struct ProviderKeys: Sendable {
    private let algorithm: JSONWebAlgorithm
    /// The key that signs, and the only one in the key set.
    private(set) var current: SigningKey

    /// Makes the first key.
    init(_ algorithm: JSONWebAlgorithm) throws {
        self.algorithm = algorithm
        current = try SigningKey.generate(algorithm)
    }

    /// Replaces the key; the old one is withdrawn at once.
    mutating func rotate() throws {
        current = try SigningKey.generate(algorithm)
    }
}
