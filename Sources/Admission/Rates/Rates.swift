// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The rates of the table, and what each who has a bucket has left. A client whose address is not known, since its peer
/// speaks for others, has no limit of its own.
package final class Rates: Sendable {
    /// The buckets of one limit, with a lock of their own.
    private final class Guarded: Sendable {
        let buckets: Mutex<RateBuckets>
        init(_ limit: RateLimit) { buckets = Mutex(RateBuckets(limit)) }
    }

    /// By ``RateLimit``.
    private let limits = RateLimit.allCases.map { Guarded($0) }

    /// Creates rates of which nothing is used up. Those that an owner sets are no limit until it does.
    package init() {}

    /// The number of buckets of a limit.
    package func count(_ limit: RateLimit) -> Int { on(limit) { $0.count } }

    /// Replaces a rate. What each has left stays, as far as the new bucket holds it; `nil` is no limit, and forgets all.
    package func replace(_ limit: RateLimit, by rate: TokenBucketRate?) {
        on(limit) { $0.replace(by: rate) }
    }

    /// Counts something of a client if it may be done.
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

    /// Returns the time until something of a client may be done, in seconds, at least 1; `nil` if it may be done now.
    package func wait(
        _ limit: RateLimit, for client: IPAddress?, at provider: UInt64? = nil, now: Int64
    ) -> Int64? {
        guard let client else { return nil }
        return on(limit) { $0.wait(client, at: provider, now: now) }
    }

    /// Counts something of a client no longer that was counted, and should not have been.
    package func giveBack(_ limit: RateLimit, for client: IPAddress?, at provider: UInt64? = nil, now: Int64) {
        guard let client else { return }
        on(limit) { $0.giveBack(client, at: provider, now: now) }
    }

    /// Counts something of whoever has a key, if it may be done.
    /// - Parameter rate: The rate of this bucket; `nil` for that of the limit.
    /// - Returns: The time until it may be done, in seconds, at least 1; `nil` if it was counted.
    package func take(_ limit: RateLimit, for key: RateKey, at rate: TokenBucketRate? = nil, now: Int64) -> Int64? {
        on(limit) { $0.take(key, at: rate ?? $0.rate, now: now) }
    }

    /// Returns the time until something of whoever has a key may be done, in seconds, at least 1; `nil` if it may be now.
    package func wait(_ limit: RateLimit, for key: RateKey, at rate: TokenBucketRate? = nil, now: Int64) -> Int64? {
        on(limit) { $0.wait(key, at: rate ?? $0.rate, now: now) }
    }

    private func on<Result: Sendable>(_ limit: RateLimit, _ body: (inout RateBuckets) -> Result) -> Result {
        limits[limit.rawValue].buckets.withLock { body(&$0) }
    }
}
