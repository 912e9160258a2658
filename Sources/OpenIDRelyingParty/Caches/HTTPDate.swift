// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// A parser for the three date formats of HTTP (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday,
/// 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
package enum HTTPDate {
    /// The maximum length of a date in any format, in bytes.
    private static let longest = 40
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the date as seconds since 1970; `nil` if the text is not a date. The name of the day is not validated.
    package static func seconds(_ text: String) -> Int64? {
        guard text.utf8.count <= longest else { return nil }
        let words = text.split(separator: " ").map(String.init)
        switch words.count {
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            return seconds(day: words[1], month: words[2], year: number(words[3], 4...4), time: words[4])
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3, let year = number(date[2], 2...2) else { return nil }
            // RFC 850 dates have two-digit years. The format is obsolete, so a year close to the present is assumed.
            return seconds(day: date[0], month: date[1], year: year + (year < 70 ? 2000 : 1900), time: words[2])
        case 5:
            return seconds(day: words[2], month: words[1], year: number(words[4], 4...4), time: words[3])
        default:
            return nil
        }
    }

    private static func seconds(day: String, month: String, year: Int64?, time: String) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let year, let monthIndex = months.firstIndex(of: month), clock.count == 3,
            let day = number(day, 1...2), let hour = number(clock[0], 2...2), let minute = number(clock[1], 2...2),
            let second = number(clock[2], 2...2),
            // Second 60 is a leap second.
            (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = CalendarDate(year: year, month: Int64(monthIndex) + 1, day: day).daysSince1970
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    }

    private static func number(_ text: String, _ length: ClosedRange<Int>) -> Int64? {
        guard length.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
