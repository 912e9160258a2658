// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerConfiguration

/// The days that operators write.
struct CalendarDayTests {
    @Test(
        arguments: [
            ("1970-01-01", 0), ("1999-12-31", 946_598_400), ("2000-02-29", 951_782_400), ("2024-02-29", 1_709_164_800),
            ("2024-03-01", 1_709_251_200), ("2027-03-01", 1_803_859_200), ("2100-02-28", 4_107_456_000),
            ("2100-03-01", 4_107_542_400), ("9999-12-31", 253_402_214_400),
        ] as [(String, Int64)])
    func `the first second of a day, by UTC`(text: String, seconds: Int64) {
        #expect(CalendarDay.firstSecond(of: text) == seconds)
    }

    @Test(arguments: [
        "", "2027", "2027-03", "2027-00-10", "2027-13-01", "2027-04-31", "2027-03-00", "2027-03-32", "2100-02-29",
        "2027-2-003", "2027/03/01", "27-03-2001", "1969-12-31", "0000-00-00", "-027-03-01", "2027-03-0a", " 2027-03-1",
        "2027-03-01 ", "2027-03-01Z", "\u{662}027-03-1",
    ])
    func `what is none`(text: String) {
        #expect(CalendarDay.firstSecond(of: text) == nil)
    }
}
