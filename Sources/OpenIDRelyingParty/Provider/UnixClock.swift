// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The wall clock, in whole seconds since 1970: what tokens and expiries are counted in. Injected, so that tests own time.
public protocol UnixClock: Sendable {
    /// Seconds since 1970-01-01 00:00 UTC.
    func now() -> Int64
}

/// The system's wall clock.
public struct SystemUnixClock: UnixClock {
    /// The system's wall clock.
    public init() {}

    public func now() -> Int64 { Int64(time(nil)) }
}
