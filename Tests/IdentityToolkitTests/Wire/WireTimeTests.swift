// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IdentityToolkit

/// How times are written.
struct WireTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (59, "1970-01-01T00:00:59Z"), (86_399, "1970-01-01T23:59:59Z"),
            (86_400, "1970-01-02T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (951_868_799, "2000-02-29T23:59:59Z"),
            (951_868_800, "2000-03-01T00:00:00Z"), (978_307_199, "2000-12-31T23:59:59Z"),
            (978_307_200, "2001-01-01T00:00:00Z"), (1_078_012_800, "2004-02-29T00:00:00Z"),
            (1_790_000_000, "2026-09-21T14:13:20Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            // Bounds.
            (-1, "1970-01-01T00:00:00Z"), (.min, "1970-01-01T00:00:00Z"), (253_402_300_800, "9999-12-31T23:59:59Z"),
            (.max, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func `a date`(time: Int64, expected: String) {
        #expect(WireTime.rfc3339(time) == expected)
    }

    @Test func `every day until 2105 is the one behind the day before`() {
        var (year, month, day) = (1970, 1, 1)
        var time: Int64 = 0
        while year < 2105 {
            let date = WireTime.rfc3339(time)
            let parts = date.prefix { $0 != "T" }.split(separator: "-").compactMap { Int($0) }
            if parts != [year, month, day] {
                Issue.record("\(date) instead of \(year)-\(month)-\(day)")
                return
            }
            let isLeapYear = year.isMultiple(of: 400) || (year.isMultiple(of: 4) && !year.isMultiple(of: 100))
            let longMonths: Set = [1, 3, 5, 7, 8, 10, 12]
            let length = month == 2 ? (isLeapYear ? 29 : 28) : longMonths.contains(month) ? 31 : 30
            day += 1
            if day > length { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
            time += 86_400
        }
        #expect(time == 4_260_211_200)
    }

    @Test(
        arguments: [
            (0, "0"), (1, "1000"), (1_790_000_000, "1790000000000"), (-1, "-1000"),
            (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
        ] as [(Int64, String)])
    func `milliseconds are texts`(time: Int64, expected: String) {
        #expect(WireTime.milliseconds(time) == expected)
    }
}
