// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty
import Synchronization

/// A clock that changes only when a test moves it: the wall clock and the elapsed time.
///
/// Use the same clock for the broker and for ``OpenIDProvider`` to test expiry without waiting.
public final class TestClock: UnixClock {
    /// The wall clock and the elapsed time, in seconds.
    private let seconds: Mutex<(wall: Int64, elapsed: Int64)>

    /// Creates a clock.
    ///
    /// - Parameter now: The time in seconds since 1970; by default 2027-01-15T08:00:00Z.
    public init(now: Int64 = 1_800_000_000) {
        // The elapsed time is far from the wall clock, so that comparing one with the other becomes visible.
        seconds = Mutex((now, 1_000_000))
    }

    /// Returns the time of the wall clock, in seconds since 1970.
    public func now() -> Int64 {
        seconds.withLock { $0.wall }
    }

    /// The elapsed time, which ``advance(by:)`` increases and ``step(by:)`` does not change.
    public var elapsed: any ElapsedClock { Elapsed(clock: self) }

    private struct Elapsed: ElapsedClock {
        let clock: TestClock

        func now() -> Int64 { clock.seconds.withLock { $0.elapsed } }
    }

    /// Advances the elapsed time and the wall clock. If `seconds` is negative, only the wall clock is moved back.
    public func advance(by seconds: Int64) {
        self.seconds.withLock { time in
            time.wall += seconds
            time.elapsed += max(seconds, 0)
        }
    }

    /// Moves only the wall clock, forward or, if `seconds` is negative, back.
    public func step(by seconds: Int64) {
        self.seconds.withLock { $0.wall += seconds }
    }

    /// Advances both to a time. If it is earlier, only the wall clock is moved back.
    ///
    /// - Parameter now: The time in seconds since 1970.
    public func set(_ now: Int64) {
        seconds.withLock { time in
            time.elapsed += max(now - time.wall, 0)
            time.wall = now
        }
    }
}
