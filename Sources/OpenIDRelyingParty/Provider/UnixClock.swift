// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The wall clock in whole seconds since 1970, in which tokens and expiries are counted. It is injected so that tests
/// control the time.
public protocol UnixClock: Sendable {
    /// Returns the seconds since 1970-01-01 00:00 UTC.
    func now() -> Int64
}

/// The system's wall clock.
public struct SystemUnixClock: UnixClock {
    /// Creates the clock.
    public init() {}

    public func now() -> Int64 {
        // On Linux `time` may be behind every other clock of the machine for the first milliseconds of a second, in
        // which a time from another machine would be in the future here.
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
