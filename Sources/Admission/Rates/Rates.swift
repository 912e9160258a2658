// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The rates of the table, and the tokens left in each bucket. A client whose address is not known, because its peer
/// speaks for others, has no limit of its own.
package final class Rates: Sendable {
    /// The buckets of one limit, with a lock of their own.
    private final class Guarded: Sendable {
        let buckets: Mutex<RateBuckets>
        init(_ limit: RateLimit) { buckets = Mutex(RateBuckets(limit)) }
    }

    /// By ``RateLimit``.
    private let limits = RateLimit.allCases.map { Guarded($0) }

    /// Creates rates with full buckets. A rate that an owner sets is no limit until the owner sets it.
    package init() {}

    /// The number of buckets of a limit.
    package func count(_ limit: RateLimit) -> Int { on(limit) { $0.count } }

    /// Replaces a rate. Each bucket keeps its tokens, as far as the new size allows. `nil` means no limit, and forgets
    /// every bucket.
    package func replace(_ limit: RateLimit, by rate: TokenBucketRate?) {
        on(limit) { $0.replace(by: rate) }
    }

    /// Counts something for a client if it may be done.
    /// - Parameters:
    ///   - provider: The number of a provider, where clients are counted by provider.
    ///   - now: The time, in seconds of elapsed time.
    /// - Returns: The time until it may be done, in seconds, at least 1; `nil` if it was counted.
    package func take(
        _ limit: RateLimit, for client: IPAddress?, at provider: UInt64? = nil, now: Int64
    ) -> Int64? {
        guard let client else { return nil }
        return on(limit) { $0.take(client, at: provider, now: now) }
    }

    /// Returns the time until a client may do something, in seconds, at least 1; `nil` if it may be done now.
    package func wait(
        _ limit: RateLimit, for client: IPAddress?, at provider: UInt64? = nil, now: Int64
    ) -> Int64? {
        guard let client else { return nil }
        return on(limit) { $0.wait(client, at: provider, now: now) }
    }

    /// Stops counting something that was counted for a client and should not have been.
    package func giveBack(_ limit: RateLimit, for client: IPAddress?, at provider: UInt64? = nil, now: Int64) {
        guard let client else { return }
        on(limit) { $0.giveBack(client, at: provider, now: now) }
    }

    /// Counts something in the bucket of a key if it may be done.
    /// - Parameter rate: The rate of this bucket; `nil` for the rate of the limit.
    /// - Returns: The time until it may be done, in seconds, at least 1; `nil` if it was counted.
    package func take(_ limit: RateLimit, for key: RateKey, at rate: TokenBucketRate? = nil, now: Int64) -> Int64? {
        on(limit) { $0.take(key, at: rate ?? $0.rate, now: now) }
    }

    /// Returns the time until the bucket of a key has a token, in seconds, at least 1; `nil` if it has one now.
    package func wait(_ limit: RateLimit, for key: RateKey, at rate: TokenBucketRate? = nil, now: Int64) -> Int64? {
        on(limit) { $0.wait(key, at: rate ?? $0.rate, now: now) }
    }

    private func on<Result: Sendable>(_ limit: RateLimit, _ body: (inout RateBuckets) -> Result) -> Result {
        limits[limit.rawValue].buckets.withLock { body(&$0) }
    }
}
