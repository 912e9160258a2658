// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty
import Synchronization

/// A clock that stands still until a test moves it: the wall clock, and the time that has passed.
///
/// Give the same clock to the broker and to ``OpenIDProvider``, so that expiry can be shown without waiting.
public final class TestClock: UnixClock {
    /// The wall clock and the time passed, in seconds.
    private let seconds: Mutex<(wall: Int64, elapsed: Int64)>

    /// Starts the clock.
    ///
    /// - Parameter now: seconds since 1970; by default 2027-01-15T08:00:00Z.
    public init(now: Int64 = 1_800_000_000) {
        // Far from the wall clock, so that a time of one that is compared with the other shows.
        seconds = Mutex((now, 1_000_000))
    }

    /// The time that was set, in seconds since 1970.
    public func now() -> Int64 {
        seconds.withLock { $0.wall }
    }

    /// The time that has passed: it goes on with ``advance(by:)``, and no ``step(by:)`` changes it.
    public var elapsed: any ElapsedClock { Elapsed(clock: self) }

    private struct Elapsed: ElapsedClock {
        let clock: TestClock

        func now() -> Int64 { clock.seconds.withLock { $0.elapsed } }
    }

    /// Time passes. Where `seconds` is negative it does not, and the wall clock is put back.
    public func advance(by seconds: Int64) {
        self.seconds.withLock { time in
            time.wall += seconds
            time.elapsed += max(seconds, 0)
        }
    }

    /// Somebody sets the wall clock forward, or back where `seconds` is negative; no time passes.
    public func step(by seconds: Int64) {
        self.seconds.withLock { $0.wall += seconds }
    }

    /// Time passes up to a moment; the wall clock is put back where it is earlier.
    ///
    /// - Parameter now: seconds since 1970.
    public func set(_ now: Int64) {
        seconds.withLock { time in
            time.elapsed += max(now - time.wall, 0)
            time.wall = now
        }
    }
}
