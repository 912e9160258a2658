// SPDX-License-Identifier: Apache-2.0

/// Whose bucket it is, of one ``RateLimit``. Its size does not depend on what it stands for.
@usableFromInline
package struct RateKey: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    /// The length of a network's prefix, and a provider; 0 for a hash.
    private let rest: UInt64

    /// The only key of a limit that counts everybody together.
    package static let everybody = RateKey(high: 0, low: 0)

    /// Creates a key of 128 bits that nobody can choose: half of a SHA-256 hash, or random ones of the broker's own.
    package init(high: UInt64, low: UInt64) { (self.high, self.low, rest) = (high, low, 0) }

    /// Creates a key from the first 16 bytes of a SHA-256 hash, or of random ones. Missing bytes count as 0.
    package init(_ bytes: some Collection<UInt8>) {
        func number(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8).prefix(8)))
    }

    /// Creates the key of a network, of which an IPv4 one has another prefix length than any IPv6 one.
    /// - Parameters:
    ///   - network: One of the networks that are counted for a client.
    ///   - provider: The number of a provider; `nil` where clients are not counted by provider.
    init(_ network: IPNetwork, at provider: UInt64?) {
        (high, low) = (network.address.high, network.address.low)
        rest = (provider.map { $0 &+ 1 } ?? 0) << 8 | UInt64(network.prefixLength)
    }
}
