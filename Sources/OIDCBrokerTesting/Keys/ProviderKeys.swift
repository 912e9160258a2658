// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The provider's signing keys.
struct ProviderKeys: Sendable {
    private let algorithm: JSONWebAlgorithm
    private let isShared: Bool
    private var generation = 0
    /// The key that signs.
    private(set) var current: SigningKey

    /// Generates the first key.
    ///
    /// - Parameter isShared: Whether an RSA key is one of ``SharedRSAKeys``.
    init(_ algorithm: JSONWebAlgorithm, isShared: Bool = false) throws {
        self.algorithm = algorithm
        self.isShared = isShared
        current = try Self.make(algorithm, isShared: isShared, generation: 0)
    }

    /// Replaces the key. The old one is withdrawn at once.
    mutating func rotate() throws {
        generation += 1
        current = try Self.make(algorithm, isShared: isShared, generation: generation)
    }

    /// Returns a key of another algorithm, for a provider that signs with an algorithm that it does not announce. If
    /// keys are shared and the current one is an RSA key, it is the same key.
    func alternate() throws -> SigningKey {
        try SharedRSAKeys.key(generation, algorithm == .rs256 ? .ps256 : .rs256)
    }

    private static func make(_ algorithm: JSONWebAlgorithm, isShared: Bool, generation: Int) throws -> SigningKey {
        guard isShared, algorithm == .rs256 || algorithm == .ps256 else { return try SigningKey.generate(algorithm) }
        return try SharedRSAKeys.key(generation, algorithm)
    }
}
