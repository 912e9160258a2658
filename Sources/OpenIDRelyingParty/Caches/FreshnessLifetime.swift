// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The time for which a fetched document is fresh, according to its Cache-Control field (RFC 9111 section 5.2.2).
///
/// It is kept within bounds, so that a provider can neither cause a fetch for every sign-in nor keep withdrawn keys in
/// use for days.
package struct FreshnessLifetime: Sendable, Hashable {
    /// The shortest lifetime, in seconds, also used for `no-store` and `no-cache`.
    package static let shortest: Int64 = 60
    /// The longest lifetime, in seconds: one day.
    package static let longest: Int64 = 86_400
    /// The lifetime if the response specifies none, in seconds: one hour.
    package static let unspecified: Int64 = 3600

    /// The lifetime in seconds, from ``shortest`` to ``longest``.
    package let seconds: Int64

    /// Creates the lifetime that a Cache-Control field specifies, which is `nil` if it is absent.
    ///
    /// A `max-age` that cannot be parsed counts as 0 (RFC 9111 section 4.2.1). If there are several, the smallest one
    /// counts.
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

    /// The age from which the document is refreshed in the background, in seconds, so that no request waits for it.
    package var refreshAfter: Int64 { seconds / 5 * 4 }

    /// Parses delta-seconds, quoted or not (RFC 9111 section 1.2.2). A number that is too large is clamped, and
    /// anything else is 0.
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
