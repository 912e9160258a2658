// SPDX-License-Identifier: Apache-2.0

import JOSE

/// For how long a provider asks to be left alone (RFC 9110 section 10.2.3): seconds, or a date.
package struct RetryAfter: Sendable, Hashable {
    /// The longest that is respected, seconds: no provider can lock its own people out for longer with one response.
    package static let longest: Int64 = 300

    /// Seconds from now, 0 to ``longest``.
    package let seconds: Int64

    /// Reads the field; `nil` if it is not there or is neither form.
    /// - Parameter now: seconds since 1970, for the form that is a date.
    package init?(_ field: String?, now: Int64) {
        guard let field else { return nil }
        let text = field.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        if !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) {
            seconds = min(WireText(Substring(text)).ascii(atMost: 19).flatMap { Int64($0) } ?? .max, Self.longest)
        } else if let date = WireText(Substring(text)).ascii(atMost: 64).flatMap(HTTPDate.seconds) {
            let (wait, hasOverflowed) = date.subtractingReportingOverflow(now)
            seconds = hasOverflowed ? 0 : min(max(wait, 0), Self.longest)
        } else {
            return nil
        }
    }
}
