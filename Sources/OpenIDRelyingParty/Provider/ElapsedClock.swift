// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Elapsed time in whole seconds, in which lifetimes inside this process are counted.
///
/// It never goes back, is not affected by changes of the wall clock, and continues while the machine is suspended. Its
/// origin is arbitrary: times that leave the process are those of ``UnixClock``. It is injected so that tests control
/// the time.
public protocol ElapsedClock: Sendable {
    /// Returns the seconds since an arbitrary moment, which is fixed for the lifetime of the process.
    func now() -> Int64
}

/// The elapsed time of the system, including suspension.
public struct SystemElapsedClock: ElapsedClock {
    /// Creates the clock.
    public init() {}

    public func now() -> Int64 {
        var time = timespec()
        #if os(Linux) || os(Android)
            clock_gettime(CLOCK_BOOTTIME, &time)
        #else
            // On Darwin CLOCK_MONOTONIC_RAW continues during sleep, and CLOCK_UPTIME_RAW does not.
            clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        #endif
        return Int64(time.tv_sec)
    }
}
