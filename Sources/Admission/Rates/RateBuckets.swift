// SPDX-License-Identifier: Apache-2.0

/// The buckets of one ``RateLimit``. It has no lock and no clock; `now` is given in seconds of elapsed time.
package struct RateBuckets: Sendable {
    /// The rate of each bucket. Where clients have buckets, it is the rate of an IPv4 address or an IPv6 /64. `nil`
    /// means no limit, or that each bucket has a rate of its own.
    package private(set) var rate: TokenBucketRate?
    /// Whether a /56 has four times the rate, and a /48 eight times.
    private let isScaled: Bool
    private var buckets: TokenBucketTable<RateKey>

    /// Creates the buckets of a limit, all of them full.
    /// - Parameter maximumCount: The maximum number of buckets that are kept.
    package init(_ limit: RateLimit, maximumCount: Int = TokenBucketTable<RateKey>.usualMaximumCount) {
        rate = limit.fixedRate
        isScaled = limit.row.scope != .network
        buckets = TokenBucketTable(maximumCount: maximumCount)
    }

    /// The number of buckets.
    package var count: Int { buckets.count }

    /// Returns whether the bucket of a key is kept. One that is not counts as full.
    package func holds(_ key: RateKey) -> Bool { buckets.holds(key) }

    /// Replaces the rate. Each bucket keeps its tokens, as far as the new size allows. Without a rate no bucket is
    /// kept.
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

    /// Takes a token for each network of a client, if every one of them has one.
    /// - Returns: `nil` if they were taken, or else a time to wait, in seconds, at least 1.
    package mutating func take(_ client: IPAddress, at provider: UInt64?, now: Int64) -> Int64? {
        guard let rate else { return nil }
        var taken: [(RateKey, TokenBucketRate)] = []
        for (network, scale) in client.countedNetworks {
            let (key, rate) = (RateKey(network, at: provider), isScaled ? rate.scaled(by: scale) : rate)
            if let wait = buckets.take(key, at: rate, now: now) {
                for (key, rate) in taken { buckets.giveBack(key, at: rate, now: now) }
                return wait
            }
            // An IPv4 address has one network, so it never has anything to give back.
            if !client.isIPv4 { taken.append((key, rate)) }
        }
        return nil
    }

    /// Returns the time until every network of a client has a token, in seconds, at least 1; `nil` if each has one.
    package func wait(_ client: IPAddress, at provider: UInt64?, now: Int64) -> Int64? {
        guard let rate else { return nil }
        return client.countedNetworks.compactMap { network, scale in
            buckets.wait(for: RateKey(network, at: provider), at: isScaled ? rate.scaled(by: scale) : rate, now: now)
        }.max()
    }

    /// Gives back a token for each network of a client.
    package mutating func giveBack(_ client: IPAddress, at provider: UInt64?, now: Int64) {
        guard let rate else { return }
        for (network, scale) in client.countedNetworks {
            buckets.giveBack(RateKey(network, at: provider), at: isScaled ? rate.scaled(by: scale) : rate, now: now)
        }
    }
}
