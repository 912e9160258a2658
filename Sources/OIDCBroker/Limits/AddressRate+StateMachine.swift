// SPDX-License-Identifier: Apache-2.0

import Admission

extension AddressRate {
    /// The buckets. It has no lock and no clock; `now` is given in seconds of elapsed time.
    struct StateMachine: Sendable {
        /// Whose bucket it is.
        private struct Key: Sendable, Hashable {
            let network: IPNetwork
            /// The ``ProviderEntry/number`` of the provider; `nil` where clients are not counted by provider.
            let provider: UInt64?
        }

        /// The rate of an IPv4 address or an IPv6 /64; `nil` for no limit.
        private var rate: TokenBucketRate?
        private var buckets = Self.empty

        private static var empty: TokenBucketTable<Key> {
            TokenBucketTable(maximumCount: TokenBucketTable<Key>.usualMaximumCount)
        }

        init(_ rate: TokenBucketRate?) { self.rate = rate }

        /// The number of buckets: one for an IPv4 address, three for an IPv6 one.
        var count: Int { buckets.count }

        /// Takes a token of each network of an address, if there is one in all of them.
        /// - Returns: `nil` if they were taken, or else the time until they are there, in seconds, at least 1.
        mutating func take(_ address: IPAddress, at provider: UInt64? = nil, now: Int64) -> Int64? {
            guard let rate else { return nil }
            var taken: [(Key, TokenBucketRate)] = []
            for (network, scale) in address.countedNetworks {
                let (key, rate) = (Key(network: network, provider: provider), rate.scaled(by: scale))
                if let wait = buckets.take(key, at: rate, now: now) {
                    for (key, rate) in taken { buckets.giveBack(key, at: rate, now: now) }
                    return wait
                }
                // An IPv4 address has one network, and nothing to give back.
                if !address.isIPv4 { taken.append((key, rate)) }
            }
            return nil
        }

        /// Returns the time until there is a token in each network of an address, in seconds, at least 1; `nil` if there
        /// is.
        func wait(_ address: IPAddress, at provider: UInt64? = nil, now: Int64) -> Int64? {
            guard let rate else { return nil }
            return address.countedNetworks.compactMap { network, scale in
                buckets.wait(
                    for: Key(network: network, provider: provider), at: rate.scaled(by: scale), now: now)
            }.max()
        }

        /// Gives a token back to each network of an address.
        mutating func giveBack(_ address: IPAddress, at provider: UInt64? = nil, now: Int64) {
            guard let rate else { return }
            for (network, scale) in address.countedNetworks {
                buckets.giveBack(
                    Key(network: network, provider: provider), at: rate.scaled(by: scale), now: now)
            }
        }

        /// Replaces the rate. Without one nothing is kept.
        mutating func replace(by rate: TokenBucketRate?) {
            self.rate = rate
            if rate == nil { buckets = Self.empty }
        }
    }
}
