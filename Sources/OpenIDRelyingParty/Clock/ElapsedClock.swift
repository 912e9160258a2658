// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A clock that nobody sets: how much time has passed, in whole seconds since some moment before the process began. It
/// goes on while the machine is suspended. What stays in the process is counted by it; what leaves it, by ``UnixClock``.
public protocol ElapsedClock: Sendable {
    /// Seconds since a moment that never changes while the process lives. Never less than before.
    func elapsed() -> Int64
}

/// The system's: the time since boot, suspend included.
public struct SystemElapsedClock: ElapsedClock {
    /// The system's clock.
    public init() {}

    public func elapsed() -> Int64 {
        var time = timespec()
        #if canImport(Darwin)
            // Darwin's monotonic clock goes on in sleep.
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Int64(time.tv_sec)
    }
}
