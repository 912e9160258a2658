// SPDX-License-Identifier: Apache-2.0

/// The cookies of one virtual browser for one host: names, values, and deletion.
///
/// Path, domain and Secure are ignored, since a target is one origin on loopback.
package struct CookieJar: Sendable, Hashable {
    private struct Cookie: Sendable, Hashable {
        let name: String
        var value: String
    }

    private var cookies: [Cookie] = []

    /// Creates an empty jar.
    package init() {}

    /// Whether there are no cookies.
    package var isEmpty: Bool { cookies.isEmpty }

    /// Returns the value of a cookie; `nil` if there is none.
    package func value(_ name: String) -> String? { cookies.first { $0.name == name }?.value }

    /// Removes all cookies.
    package mutating func removeAll() { cookies.removeAll(keepingCapacity: true) }

    /// Stores the cookie of a Set-Cookie field (RFC 6265 section 5.2).
    ///
    /// - Returns: The name and value; `nil` if the field deletes the cookie or is not valid.
    @discardableResult
    package mutating func store(_ setCookie: String) -> (name: String, value: String)? {
        let bytes = Array(setCookie.utf8)
        let pair = bytes.prefix { $0 != UInt8(ascii: ";") }
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(decoding: pair[..<equals].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        let value = String(decoding: pair[(equals + 1)...], as: UTF8.self)
        if value.isEmpty || Self.isDeletion(bytes[pair.endIndex...]) {
            cookies.removeAll { $0.name == name }
            return nil
        }
        if let known = cookies.firstIndex(where: { $0.name == name }) {
            cookies[known].value = value
        } else {
            cookies.append(Cookie(name: name, value: value))
        }
        return (name, value)
    }

    /// Whether the attributes delete the cookie, in one of the ways that servers use.
    private static func isDeletion(_ attributes: ArraySlice<UInt8>) -> Bool {
        let lower = attributes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return ends.contains { lower.firstRange(ofBytes: $0) != nil }
    }

    private static let ends = ["max-age=0", "max-age=-", "01 jan 1970", "01-jan-1970"].map { Array($0.utf8) }

    /// The value of the Cookie field; `nil` if there are no cookies.
    package var field: String? {
        guard let first = cookies.first else { return nil }
        if cookies.count == 1 { return "\(first.name)=\(first.value)" }
        return cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
