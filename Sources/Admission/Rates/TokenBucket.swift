// SPDX-License-Identifier: Apache-2.0

/// One token bucket. It has no clock; `now` is given in seconds of elapsed time.
package struct TokenBucket: Sendable {
    /// The time at which the bucket will be full, in microseconds.
    private var fullAt = Int64.min

    /// Creates a full bucket.
    package init() {}

    /// Takes a token if there is one.
    /// - Returns: `nil` if it was taken, or else the time until there is one, in seconds, at least 1.
    package mutating func take(at rate: TokenBucketRate, now: Int64) -> Int64? {
        let wait = wait(at: rate, now: now)
        if wait == nil { fullAt = rate.fullAt(afterTakingFrom: fullAt, now: BucketTime.microseconds(now)) }
        return wait
    }

    /// Returns the time until there is a token, in seconds, at least 1; `nil` if there is one.
    package func wait(at rate: TokenBucketRate, now: Int64) -> Int64? {
        BucketTime.seconds(waiting: rate.wait(fullAt: fullAt, now: BucketTime.microseconds(now)))
    }
}
