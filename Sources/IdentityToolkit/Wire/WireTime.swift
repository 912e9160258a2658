// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// Times in responses, which are texts.
enum WireTime {
    /// The last second of the year 9999, since a year in RFC 3339 has four digits.
    private static let latest: Int64 = 253_402_300_799
    private static let secondsOfDay: Int64 = 86_400

    /// A time in milliseconds since 1970, from one in seconds. What does not fit becomes the nearest bound.
    static func milliseconds(_ time: Int64) -> String {
        let (product, overflows) = time.multipliedReportingOverflow(by: 1000)
        let bound: Int64 = time < 0 ? .min : .max
        return String(overflows ? bound : product)
    }

    /// A time as a date in UTC (RFC 3339 section 5.6), from one in seconds since 1970. What is before 1970 or after the
    /// year 9999 becomes the nearest bound.
    static func rfc3339(_ time: Int64) -> String {
        let time = min(max(0, time), latest)
        let date = CalendarDate(daysSince1970: time / secondsOfDay)
        let second = time % secondsOfDay
        let clock = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(date.year)-\(twoDigits(date.month))-\(twoDigits(date.day))T\(clock)Z"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
