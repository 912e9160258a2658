// SPDX-License-Identifier: Apache-2.0

/// How fast the tokens of a bucket come, and how many the bucket holds.
///
/// A bucket is stored as the time at which it will be full. Taking a token moves that time later by the interval in
/// which a token comes. A bucket that needs the whole fill time is empty.
///
/// The functions are `@inlinable`, and what they read is `@usableFromInline`: every request is checked, and a generic
/// table that is not specialized costs many times as much.
@usableFromInline
package struct TokenBucketRate: Sendable, Hashable {
    /// The time in which a token comes, in microseconds, at least 1.
    @usableFromInline
    let interval: Int64
    /// The time in which an empty bucket fills, in microseconds.
    @usableFromInline
    let fillTime: Int64

    /// The maximum of a rate and of a burst. A larger number counts as the maximum.
    private static let maximumPerSecond = 1_000_000
    private static let maximumBurst = 10_000_000

    /// Creates the rate of a limit.
    /// - Parameters:
    ///   - perSecond: The number of tokens that come in a second, at most 1,000,000.
    ///   - burst: The number of tokens in a full bucket, at most 10,000,000. A number below the rate counts as the
    ///     rate: the clock ticks once a second, so tokens that come between two ticks would be lost.
    /// - Returns: `nil` for a rate of 0 or less, which means no limit.
    package init?(perSecond: Int, burst: Int) {
        guard perSecond > 0 else { return nil }
        let rate = min(perSecond, Self.maximumPerSecond)
        interval = 1_000_000 / Int64(rate)
        fillTime = interval * Int64(min(max(rate, burst), Self.maximumBurst))
    }

    /// Creates the rate of a limit whose bucket holds the tokens of a minute.
    /// - Parameter perMinute: The number of tokens, 1 to 60,000,000; any other number counts as the nearest of these.
    package init(perMinute: Int64) {
        fillTime = 60_000_000
        interval = fillTime / min(max(1, perMinute), fillTime)
    }

    /// Creates the rate of a limit whose bucket holds one token.
    /// - Parameter seconds: The time in which it comes, 1 to 86,400; any other time counts as the nearest of these.
    package init(onceIn seconds: Int64) {
        interval = min(max(1, seconds), 86_400) * 1_000_000
        fillTime = interval
    }

    /// Returns a rate whose tokens come a number of times as fast, into a bucket that holds that many times as many.
    package func scaled(by factor: Int) -> TokenBucketRate {
        guard factor > 1 else { return self }
        return TokenBucketRate(interval: max(1, interval / Int64(factor)), fillTime: fillTime)
    }

    private init(interval: Int64, fillTime: Int64) { (self.interval, self.fillTime) = (interval, fillTime) }

    /// The time until there is a token, in microseconds; 0 or less if there is one now.
    @inlinable
    func wait(fullAt: Int64, now: Int64) -> Int64 {
        start(fullAt, now) + interval - now - fillTime
    }

    /// The time at which a bucket will be full after a token is taken from it.
    @inlinable
    func fullAt(afterTakingFrom fullAt: Int64, now: Int64) -> Int64 {
        min(start(fullAt, now) + interval, now + fillTime)
    }

    /// The time at which a bucket will be full after a token is given back. A full bucket stays full.
    @inlinable
    func fullAt(afterGivingBackTo fullAt: Int64, now: Int64) -> Int64 {
        max(start(fullAt, now) - interval, now)
    }

    /// The time at which the bucket will be full if nothing is taken. In two cases it is full now. One is a stored time
    /// in the past. The other is a stored time later than that of an empty bucket, after the clock was set back or the
    /// limit changed: a client must not have to wait until the clock is where it was.
    @inlinable
    func start(_ fullAt: Int64, _ now: Int64) -> Int64 {
        fullAt > now + fillTime ? now : max(fullAt, now)
    }
}

/// Conversions between seconds and the microseconds of buckets.
@usableFromInline
enum BucketTime {
    /// A time in microseconds. The bound keeps the arithmetic from overflowing. No clock reaches it.
    @inlinable
    static func microseconds(_ seconds: Int64) -> Int64 {
        let bound: Int64 = 1 << 42
        return min(max(seconds, -bound), bound) * 1_000_000
    }

    /// A wait in seconds, rounded up; `nil` if there is nothing to wait for.
    @inlinable
    static func seconds(waiting microseconds: Int64) -> Int64? {
        microseconds <= 0 ? nil : (microseconds + 999_999) / 1_000_000
    }
}
