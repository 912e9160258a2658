// SPDX-License-Identifier: Apache-2.0

/// The key of a bucket of one ``RateLimit``. All keys have the same size, whatever they stand for.
@usableFromInline
package struct RateKey: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    /// The prefix length of a network, and a provider; 0 for a hash.
    private let rest: UInt64

    /// The only key of a limit that counts all clients together.
    package static let everybody = RateKey(high: 0, low: 0)

    /// Creates a key from 128 bits that no client can choose: half of a SHA-256 hash, or the broker's own random bits.
    package init(high: UInt64, low: UInt64) { (self.high, self.low, rest) = (high, low, 0) }

    /// Creates a key from the first 16 bytes of a SHA-256 hash or of random bytes. Missing bytes count as 0.
    package init(_ bytes: some Collection<UInt8>) {
        func number(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8).prefix(8)))
    }

    /// Creates the key of a network. No IPv4 network has the prefix length of a counted IPv6 network, so keys differ.
    /// - Parameters:
    ///   - network: One of the networks that are counted for a client.
    ///   - provider: The number of a provider; `nil` where clients are not counted by provider.
    init(_ network: IPNetwork, at provider: UInt64?) {
        (high, low) = (network.address.high, network.address.low)
        rest = (provider.map { $0 &+ 1 } ?? 0) << 8 | UInt64(network.prefixLength)
    }
}
