// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty
import Synchronization

/// A clock that stands still until a test moves it.
///
/// Give the same clock to the broker and to ``OpenIDProvider``, so that expiry can be shown without waiting.
public final class TestClock: UnixClock {
    private let seconds: Mutex<Int64>

    /// Starts the clock.
    ///
    /// - Parameter now: seconds since 1970; by default 2027-01-15T08:00:00Z.
    public init(now: Int64 = 1_800_000_000) {
        seconds = Mutex(now)
    }

    /// The time that was set, in seconds since 1970.
    public func now() -> Int64 {
        seconds.withLock { $0 }
    }

    /// Moves the clock on, or back where `seconds` is negative.
    public func advance(by seconds: Int64) {
        self.seconds.withLock { $0 += seconds }
    }

    /// Sets the clock.
    ///
    /// - Parameter now: seconds since 1970.
    public func set(_ now: Int64) {
        seconds.withLock { $0 = now }
    }
}
