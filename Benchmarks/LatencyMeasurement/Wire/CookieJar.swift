// SPDX-License-Identifier: Apache-2.0

/// The cookies of one virtual browser towards one host: names, values, and deletion.
///
/// Path, domain and Secure are not looked at: a target is one origin on loopback, and what it sets is for itself.
package struct CookieJar: Sendable, Hashable {
    private struct Cookie: Sendable, Hashable {
        let name: String
        var value: String
    }

    private var cookies: [Cookie] = []

    /// An empty jar.
    package init() {}

    /// Whether there is none.
    package var isEmpty: Bool { cookies.isEmpty }

    /// The value of a cookie.
    package func value(_ name: String) -> String? { cookies.first { $0.name == name }?.value }

    /// Forgets everything.
    package mutating func removeAll() { cookies.removeAll(keepingCapacity: true) }

    /// Takes the value of a Set-Cookie field (RFC 6265 section 5.2).
    ///
    /// - Returns: Name and value; nil where the field deletes the cookie or is none.
    @discardableResult
    package mutating func store(_ setCookie: String) -> (name: String, value: String)? {
        let parts = setCookie.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
        let name = String(pair[..<equals].drop { $0 == " " })
        let value = String(pair[pair.index(after: equals)...])
        let attributes = parts.count > 1 ? parts[1].lowercased() : ""
        let isDeletion =
            value.isEmpty || attributes.contains("max-age=0") || attributes.contains("max-age=-")
            || attributes.contains("01 jan 1970") || attributes.contains("01-jan-1970")
        if isDeletion {
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

    /// The value of the Cookie field; nil where there is nothing to send.
    package var field: String? {
        guard let first = cookies.first else { return nil }
        if cookies.count == 1 { return "\(first.name)=\(first.value)" }
        return cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
