// SPDX-License-Identifier: Apache-2.0

/// The buckets of one ``RateLimit``. It has no lock and no clock; `now` is given in seconds of elapsed time.
package struct RateBuckets: Sendable {
    /// The rate of each bucket, of a client that of an IPv4 address or an IPv6 /64; `nil` for no limit, and where each
    /// bucket has a rate of its own.
    package private(set) var rate: TokenBucketRate?
    /// Whether a /56 has four times and a /48 eight times as much.
    private let isScaled: Bool
    private var buckets: TokenBucketTable<RateKey>

    /// - Parameter maximumCount: The maximum number of buckets.
    package init(_ limit: RateLimit, maximumCount: Int = TokenBucketTable<RateKey>.usualMaximumCount) {
        rate = limit.fixedRate
        isScaled = limit.row.scope != .network
        buckets = TokenBucketTable(maximumCount: maximumCount)
    }

    /// The number of buckets.
    package var count: Int { buckets.count }

    /// Returns whether there is a bucket of a key. Without one it is full.
    package func holds(_ key: RateKey) -> Bool { buckets.holds(key) }

    /// Replaces the rate. What each has left stays, as far as the new bucket holds it; without a rate nothing is kept.
    package mutating func replace(by rate: TokenBucketRate?) {
        self.rate = rate
        if rate == nil { buckets = TokenBucketTable(maximumCount: buckets.maximumCount) }
    }

    /// Takes a token of a key if there is one.
    /// - Returns: `nil` if it was taken, or else the time until there is one, in seconds, at least 1.
    package mutating func take(_ key: RateKey, at rate: TokenBucketRate?, now: Int64) -> Int64? {
        rate.flatMap { buckets.take(key, at: $0, now: now) }
    }

    /// Returns the time until there is a token of a key, in seconds, at least 1; `nil` if there is one.
    package func wait(_ key: RateKey, at rate: TokenBucketRate?, now: Int64) -> Int64? {
        rate.flatMap { buckets.wait(for: key, at: $0, now: now) }
    }

    /// Takes a token of each network of a client, if there is one in all of them.
    /// - Returns: `nil` if they were taken, or else the time until they are there, in seconds, at least 1.
    package mutating func take(_ client: IPAddress, at provider: UInt64?, now: Int64) -> Int64? {
        guard let rate else { return nil }
        var taken: [(RateKey, TokenBucketRate)] = []
        for (network, scale) in client.countedNetworks {
            let (key, rate) = (RateKey(network, at: provider), isScaled ? rate.scaled(by: scale) : rate)
            if let wait = buckets.take(key, at: rate, now: now) {
                for (key, rate) in taken { buckets.giveBack(key, at: rate, now: now) }
                return wait
            }
            // An IPv4 address has one network, and nothing to give back.
            if !client.isIPv4 { taken.append((key, rate)) }
        }
        return nil
    }

    /// Returns the time until there is a token in each network of a client, in seconds, at least 1; `nil` if there is.
    package func wait(_ client: IPAddress, at provider: UInt64?, now: Int64) -> Int64? {
        guard let rate else { return nil }
        return client.countedNetworks.compactMap { network, scale in
            buckets.wait(for: RateKey(network, at: provider), at: isScaled ? rate.scaled(by: scale) : rate, now: now)
        }.max()
    }

    /// Gives a token back to each network of a client.
    package mutating func giveBack(_ client: IPAddress, at provider: UInt64?, now: Int64) {
        guard let rate else { return }
        for (network, scale) in client.countedNetworks {
            buckets.giveBack(RateKey(network, at: provider), at: isScaled ? rate.scaled(by: scale) : rate, now: now)
        }
    }
}
