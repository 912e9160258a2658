// SPDX-License-Identifier: Apache-2.0

import RateLimiting

extension AddressRate {
    /// The buckets. It has no lock and no clock; `now` is given in seconds of elapsed time.
    struct StateMachine: Sendable {
        /// Whose bucket it is.
        private struct Key: Sendable, Hashable {
            let client: IPAddress
            /// The ``ProviderEntry/number`` of the provider; `nil` where clients are not counted by provider.
            let provider: UInt64?
        }

        /// The rate; `nil` for no limit.
        private var rate: TokenBucketRate?
        private var buckets = Self.empty

        private static var empty: TokenBucketTable<Key> {
            TokenBucketTable(maximumCount: TokenBucketTable<Key>.usualMaximumCount)
        }

        init(_ rate: TokenBucketRate?) { self.rate = rate }

        /// The number of buckets.
        var count: Int { buckets.count }

        /// Takes a token of an address if there is one.
        /// - Returns: `nil` if it was taken, or else the time until there is one, in seconds, at least 1.
        mutating func take(_ address: IPAddress, at provider: UInt64? = nil, now: Int64) -> Int64? {
            guard let rate else { return nil }
            return buckets.take(Key(client: address.client, provider: provider), at: rate, now: now)
        }

        /// Returns the time until there is a token of an address, in seconds, at least 1; `nil` if there is one.
        func wait(_ address: IPAddress, at provider: UInt64? = nil, now: Int64) -> Int64? {
            guard let rate else { return nil }
            return buckets.wait(for: Key(client: address.client, provider: provider), at: rate, now: now)
        }

        /// Gives a token of an address back.
        mutating func giveBack(_ address: IPAddress, at provider: UInt64? = nil, now: Int64) {
            guard let rate else { return }
            buckets.giveBack(Key(client: address.client, provider: provider), at: rate, now: now)
        }

        /// Replaces the rate. Without one nothing is kept.
        mutating func replace(by rate: TokenBucketRate?) {
            self.rate = rate
            if rate == nil { buckets = Self.empty }
        }
    }
}
