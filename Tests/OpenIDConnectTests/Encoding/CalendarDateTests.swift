// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

@Suite struct CalendarDateTests {
    @Test(
        arguments: [
            (-719_468, 0, 3, 1), (-1, 1969, 12, 31), (0, 1970, 1, 1), (58, 1970, 2, 28), (59, 1970, 3, 1),
            (11_016, 2000, 2, 29), (11_017, 2000, 3, 1), (19_782, 2024, 2, 29), (47_540, 2100, 2, 28),
            (47_541, 2100, 3, 1),
            (2_932_896, 9999, 12, 31),
        ] as [(days: Int64, year: Int64, month: Int64, day: Int64)])
    func `days around leap days and bounds`(days: Int64, year: Int64, month: Int64, day: Int64) {
        let date = CalendarDate(year: year, month: month, day: day)
        #expect(CalendarDate(daysSince1970: days) == date)
        #expect(date.daysSince1970 == days)
    }

    @Test func `Each day of 400 years follows the one before, and is converted back`() {
        let wrong = (0..<Int64(146_097)).filter { days in
            let (last, date) = (CalendarDate(daysSince1970: days - 1), CalendarDate(daysSince1970: days))
            let follows = date.day == last.day + 1 || (date.day == 1 && date.month == last.month % 12 + 1)
            return !follows || date.daysSince1970 != days
        }
        #expect(wrong.isEmpty)
    }

    @Test func `A day that the month does not have counts into the next one`() {
        let date = CalendarDate(year: 2025, month: 2, day: 31)
        #expect(CalendarDate(daysSince1970: date.daysSince1970) == CalendarDate(year: 2025, month: 3, day: 3))
    }
}
