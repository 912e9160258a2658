// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The time of a line: a time of the wall clock in milliseconds.
package struct LogTime: Sendable, Hashable {
    /// 9999-12-31T23:59:59Z: RFC 3339 has years of four digits.
    private static let latest: Int64 = 253_402_300_799
    private static let secondsOfDay: Int64 = 86_400

    /// The number of bytes that ``append(to:)`` appends.
    static let byteCount = 24

    private let seconds: Int64
    private let milliseconds: Int64

    /// Creates a time.
    /// - Parameters:
    ///   - seconds: The seconds since 1970-01-01 00:00 UTC. Times before that, and after the year 9999, are clamped.
    ///   - milliseconds: The milliseconds after that second, 0 to 999. Others are clamped.
    package init(seconds: Int64, milliseconds: Int64 = 0) {
        self.seconds = min(max(seconds, 0), Self.latest)
        self.milliseconds = min(max(milliseconds, 0), 999)
    }

    /// Returns the time of the system's wall clock.
    package static func now() -> LogTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(seconds: Int64(time.tv_sec), milliseconds: Int64(time.tv_nsec) / 1_000_000)
    }

    /// Appends the time in UTC as RFC 3339 writes it: 24 bytes such as `2026-01-31T09:30:00.125Z`.
    package func append(to bytes: inout [UInt8]) { forEachByte { bytes.append($0) } }

    /// Calls a body with each byte of the text that ``append(to:)`` appends.
    func forEachByte(_ body: (UInt8) -> Void) {
        let date = CalendarDate(daysSince1970: seconds / Self.secondsOfDay)
        let second = seconds % Self.secondsOfDay
        func write(_ value: Int64, _ end: UInt8) {
            body(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10))
            body(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
            body(end)
        }
        body(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: date.year / 1000))
        body(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: date.year / 100 % 10))
        write(date.year % 100, UInt8(ascii: "-"))
        write(date.month, UInt8(ascii: "-"))
        write(date.day, UInt8(ascii: "T"))
        write(second / 3600, UInt8(ascii: ":"))
        write(second / 60 % 60, UInt8(ascii: ":"))
        write(second % 60, UInt8(ascii: "."))
        body(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds / 100))
        write(milliseconds % 100, UInt8(ascii: "Z"))
    }
}
