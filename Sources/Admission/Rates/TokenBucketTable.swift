// SPDX-License-Identifier: Apache-2.0

/// Token buckets of many clients, in bounded memory. It has no lock and no clock; `now` is given in seconds of elapsed
/// time.
///
/// Full buckets are forgotten, since a missing bucket counts as full. If there are too many others, the fullest is
/// forgotten, and nothing is refused for lack of memory: otherwise a crowd of clients could keep all others out. So an
/// attacker can make the table forget only clients that used little. Empty buckets, which hold a client back, are
/// forgotten last.
@usableFromInline
package struct TokenBucketTable<Key: Hashable & Sendable>: Sendable {
    /// The usual maximum number of buckets, which take about 10 MB.
    package static var usualMaximumCount: Int { 100_000 }

    /// The maximum number of full buckets that one operation forgets. It is one more than an operation can add, so the
    /// table shrinks, and no operation takes long.
    @usableFromInline
    static var forgottenAtOnce: Int { 2 }

    @usableFromInline
    let maximumCount: Int
    @usableFromInline
    var buckets = TokenBuckets<Key>()

    /// Creates a table without buckets.
    /// - Parameter maximumCount: The maximum number of buckets, at least 1.
    package init(maximumCount: Int) {
        self.maximumCount = max(1, maximumCount)
    }

    /// The number of buckets.
    package var count: Int { buckets.count }

    /// Returns whether the bucket of a key is kept. One that is not counts as full.
    package func holds(_ key: Key) -> Bool { buckets[key] != nil }

    /// Takes a token of a key if there is one.
    /// - Returns: `nil` if it was taken, or else the time until there is one, in seconds, at least 1.
    @inlinable
    package mutating func take(_ key: Key, at rate: TokenBucketRate, now: Int64) -> Int64? {
        let now = BucketTime.microseconds(now)
        guard let position = buckets.position(of: key) else {
            forgetFull(atMicroseconds: now)
            add(key, fullAt: rate.fullAt(afterTakingFrom: now, now: now))
            return nil
        }
        let fullAt = buckets.fullAt(at: position)
        let wait = BucketTime.seconds(waiting: rate.wait(fullAt: fullAt, now: now))
        if wait == nil { buckets.change(at: position, fullAt: rate.fullAt(afterTakingFrom: fullAt, now: now)) }
        // After the change: otherwise the full bucket of a returning client would be forgotten and added again.
        forgetFull(atMicroseconds: now)
        return wait
    }

    /// Gives back a token that was taken for something that turned out to cost none. A caller takes a token before the
    /// work, not after it, so that work under way at the same time is limited too.
    ///
    /// A full bucket stays full. If the bucket was forgotten meanwhile, it counts as full and nothing changes.
    @inlinable
    package mutating func giveBack(_ key: Key, at rate: TokenBucketRate, now: Int64) {
        guard let position = buckets.position(of: key) else { return }
        let now = BucketTime.microseconds(now)
        buckets.change(
            at: position, fullAt: rate.fullAt(afterGivingBackTo: buckets.fullAt(at: position), now: now))
        // It may be full now.
        forgetFull(atMicroseconds: now)
    }

    /// Returns the time until there is a token of a key, in seconds, at least 1; `nil` if there is one.
    @inlinable
    package func wait(for key: Key, at rate: TokenBucketRate, now: Int64) -> Int64? {
        guard let fullAt = buckets[key] else { return nil }
        return BucketTime.seconds(waiting: rate.wait(fullAt: fullAt, now: BucketTime.microseconds(now)))
    }

    /// Forgets up to two full buckets.
    package mutating func forgetFull(now: Int64) {
        forgetFull(atMicroseconds: BucketTime.microseconds(now))
    }

    @inlinable
    mutating func forgetFull(atMicroseconds now: Int64) {
        for _ in 0..<Self.forgottenAtOnce {
            guard let fullAt = buckets.fullestFullAt, fullAt <= now else { return }
            buckets.removeFullest()
        }
    }

    @inlinable
    mutating func add(_ key: Key, fullAt: Int64) {
        if buckets.count >= maximumCount { buckets.removeFullest() }
        buckets.add(key, fullAt: fullAt)
    }
}
