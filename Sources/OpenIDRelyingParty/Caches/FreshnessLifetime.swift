// SPDX-License-Identifier: Apache-2.0

import JOSE

/// For how long a fetched document is fresh, by its Cache-Control (RFC 9111 section 5.2.2) within bounds of our own: a
/// provider can neither make itself be asked at every sign-in nor keep withdrawn keys in use for days.
package struct FreshnessLifetime: Sendable, Hashable {
    /// The shortest, seconds; also what `no-store` and `no-cache` come to.
    package static let shortest: Int64 = 60
    /// The longest, seconds: a day.
    package static let longest: Int64 = 86_400
    /// Where the response says nothing, seconds: an hour.
    package static let unspecified: Int64 = 3600

    /// Seconds, ``shortest`` to ``longest``.
    package let seconds: Int64

    /// The lifetime that a Cache-Control field gives; nil for a field that is not there.
    ///
    /// A `max-age` that cannot be read counts as none left (RFC 9111 section 4.2.1); of two the shorter one counts.
    package init(cacheControl: String?) {
        var maximumAge: Int64?
        for directive in (cacheControl ?? "").utf8.split(separator: UInt8(ascii: ",")) {
            let parts = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map(Self.trimmed) else { continue }
            switch WireText(Substring(name)).ascii(atMost: 16)?.lowercased() {
            case "no-store", "no-cache":
                maximumAge = 0
            case "max-age":
                let age = parts.count == 2 ? Self.deltaSeconds(Self.trimmed(parts[1])) : 0
                maximumAge = min(maximumAge ?? .max, age)
            default:
                break
            }
        }
        seconds = min(max(maximumAge ?? Self.unspecified, Self.shortest), Self.longest)
    }

    /// After so many seconds of the lifetime the document is refreshed in the background, so that nobody waits for it.
    package var refreshAfter: Int64 { seconds / 5 * 4 }

    /// RFC 9111 section 1.2.2, quoted or not; what is too large is large, what is no number is 0.
    private static func deltaSeconds(_ text: Substring.UTF8View) -> Int64 {
        var digits = text
        if digits.count >= 2, digits.first == UInt8(ascii: "\""), digits.last == UInt8(ascii: "\"") {
            digits = digits.dropFirst().dropLast()
        }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        return WireText(Substring(digits)).ascii(atMost: 19).flatMap { Int64($0) } ?? .max
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
