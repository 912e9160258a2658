// SPDX-License-Identifier: Apache-2.0

/// Times in responses, which are texts.
enum WireTime {
    /// The last second of the year 9999, since a year in RFC 3339 has four digits.
    private static let latest: Int64 = 253_402_300_799
    private static let secondsOfDay: Int64 = 86_400
    /// The days from the first day of the year 1 to that of 1970, in the Gregorian calendar.
    private static let daysBefore1970 = 719_162

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
        let (year, month, day) = date(day: Int(time / secondsOfDay))
        let second = Int(time % secondsOfDay)
        let clock = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(year)-\(twoDigits(month))-\(twoDigits(day))T\(clock)Z"
    }

    /// The date of a day, counted from the first of January 1970.
    private static func date(day: Int) -> (year: Int, month: Int, day: Int) {
        // 400 years have the same number of days always; 100, 4 and 1 year have one less where a leap day is missing at
        // their end, so that the last day of the longer period must not begin another of the shorter ones.
        var rest = day + daysBefore1970
        let periods400 = rest / 146_097
        rest %= 146_097
        let periods100 = min(rest / 36_524, 3)
        rest -= periods100 * 36_524
        let periods4 = rest / 1461
        rest %= 1461
        let years = min(rest / 365, 3)
        rest -= years * 365
        let year = 400 * periods400 + 100 * periods100 + 4 * periods4 + years + 1
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        var month = 1
        for length in [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
            guard rest >= length else { break }
            rest -= length
            month += 1
        }
        return (year, month, rest + 1)
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
