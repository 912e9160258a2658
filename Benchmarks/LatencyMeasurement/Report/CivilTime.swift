// SPDX-License-Identifier: Apache-2.0

/// Dates and times in UTC.
package enum CivilTime {
    /// Returns a text like `2026-11-21 08:15 UTC` for seconds since 1970; empty for negative ones.
    package static func text(_ seconds: Int64) -> String {
        guard (0..<253_402_300_800).contains(seconds) else { return "" }
        let days = Int(seconds / 86_400)
        let minutes = Int(seconds % 86_400) / 60
        let (year, month, day) = date(days)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) "
            + "\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2)) UTC"
    }

    /// Returns year, month and day for days since 1970-01-01. Years begin in March here, so that the leap day is the
    /// last.
    private static func date(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
