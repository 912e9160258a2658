// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Elapsed time in whole seconds: what lifetimes inside this process are counted in.
///
/// It never goes back, nobody sets it, and it goes on while the machine is suspended. Its start means nothing: what
/// leaves the process is ``UnixClock``'s. Injected, so that tests own time.
public protocol ElapsedClock: Sendable {
    /// Seconds since an arbitrary moment, which stays the same as long as the process lives.
    func now() -> Int64
}

/// The system's elapsed time, suspension included.
public struct SystemElapsedClock: ElapsedClock {
    /// The system's elapsed time.
    public init() {}

    public func now() -> Int64 {
        var time = timespec()
        #if os(Linux) || os(Android)
            clock_gettime(CLOCK_BOOTTIME, &time)
        #else
            // Darwin's raw monotonic clock goes on in sleep, its CLOCK_UPTIME_RAW does not.
            clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        #endif
        return Int64(time.tv_sec)
    }
}
