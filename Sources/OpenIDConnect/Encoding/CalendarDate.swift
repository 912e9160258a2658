// SPDX-License-Identifier: Apache-2.0

/// A date of the Gregorian calendar, from 0000-03-01 on.
///
/// Years are counted from March in the conversions, so that a leap day is the last day of a year, and in eras of 400 years,
/// after which the calendar repeats itself.
package struct CalendarDate: Sendable, Hashable {
    /// The year.
    package let year: Int64
    /// The month, 1 to 12.
    package let month: Int64
    /// The day of the month, 1 to 31.
    package let day: Int64

    /// The days from 0000-03-01 to 1970-01-01.
    private static let daysBefore1970: Int64 = 719_468

    /// Creates a date from its parts, which are not validated.
    package init(year: Int64, month: Int64, day: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the date of a day.
    /// - Parameter days: The days since 1970-01-01, from -719,468 on.
    package init(daysSince1970 days: Int64) {
        let daysFromMarch = days + Self.daysBefore1970
        let (era, dayOfEra) = (daysFromMarch / 146_097, daysFromMarch % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// The days since 1970-01-01. A day that the month does not have counts into the next one.
    package var daysSince1970: Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return yearFromMarch * 365 + yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400 + dayOfYear
            - Self.daysBefore1970
    }
}
