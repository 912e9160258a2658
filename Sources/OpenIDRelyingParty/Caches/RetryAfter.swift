// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The time for which a provider asks not to be sent requests (RFC 9110 section 10.2.3).
package struct RetryAfter: Sendable, Hashable {
    /// The longest time that is respected, in seconds, so that a single response cannot disable sign-ins for longer.
    package static let longest: Int64 = 300

    /// The time from now in seconds, from 0 to ``longest``.
    package let seconds: Int64

    /// Parses a Retry-After field; `nil` if it is absent or is neither a number of seconds nor a date.
    /// - Parameter now: The current time in seconds since 1970, for a date.
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
