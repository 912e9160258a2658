// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore
package import OpenIDRelyingParty
import Synchronization

/// The field `Date` of responses (RFC 9110 section 6.6.1), whose text is made once a second for all of them.
package final class ResponseDate: Sendable {
    private struct Text: Sendable {
        let second: Int64
        let value: String
        /// The field line of HTTP/1, with its line break.
        let line: ByteBuffer

        init(second: Int64) {
            self.second = second
            value = ResponseDate.text(second)
            line = ByteBuffer(string: "Date: \(value)\r\n")
        }
    }

    private let clock: any UnixClock
    private let text: Mutex<Text>

    /// Creates the field of responses that are sent by a clock.
    package init(clock: any UnixClock) {
        self.clock = clock
        text = Mutex(Text(second: clock.now()))
    }

    /// The value now.
    package var value: String { current().value }

    /// The field line of HTTP/1 now, with its line break.
    package var line: ByteBuffer { current().line }

    /// The field now.
    package var field: HTTPField {
        var field = HTTPField(name: .date, value: value)
        // It would replace the entries of the table that stay.
        field.indexingStrategy = .avoid
        return field
    }

    private func current() -> Text {
        let now = clock.now()
        return text.withLock { text in
            if text.second != now { text = Text(second: now) }
            return text
        }
    }

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// 9999-12-31T23:59:59Z: the form has years of four digits.
    private static let latest: Int64 = 253_402_300_799

    /// Returns a time as an HTTP date (RFC 9110 section 5.6.7).
    /// - Parameter second: The seconds since 1970-01-01 00:00 UTC. Times before that, and after the year 9999, are clamped.
    static func text(_ second: Int64) -> String {
        let second = min(max(second, 0), latest)
        let day = Int(second / 86_400)
        let rest = Int(second % 86_400)
        // The days since 0000-03-01, so that a leap day is the last one of its year (Howard Hinnant, days_from_civil).
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = (monthFromMarch + 2) % 12
        let year = era * 400 + yearOfEra + (month < 2 ? 1 : 0)
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return "\(days[day % 7]), \(digits(dayOfMonth)) \(months[month]) \(digits(year, 4)) "
            + "\(digits(rest / 3600)):\(digits(rest / 60 % 60)):\(digits(rest % 60)) GMT"
    }
}
