// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

extension SettingType where Value == Int64 {
    /// A day of the Gregorian calendar from 1970 on, whose value is its first second by UTC, in seconds since 1970.
    package static let day = SettingType.named(
        "a day as YYYY-MM-DD", { CalendarDay.firstSecond(of: $0) }, show: { "\($0)" })
}

/// A reader of days as operators write them.
enum CalendarDay {
    /// Returns the first second of a day by UTC, in seconds since 1970; `nil` if the text is no `YYYY-MM-DD`, if there is
    /// no such day, or if it is before 1970.
    static func firstSecond(of text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            year >= 1970, (1...12).contains(month), (1...length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        return CalendarDate(year: year, month: month, day: day).daysSince1970 * 86_400
    }

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
