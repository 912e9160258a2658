// SPDX-License-Identifier: Apache-2.0

/// The cookies of a simple browser (RFC 6265): by host, not by port, and only for https.
///
/// It refuses what it does not support: a `Domain` attribute, and a `__Host-` cookie that violates the rules of the
/// prefix.
struct CookieJar: Sendable {
    private struct Cookie {
        let name: String
        let value: String
        let host: String
        let path: String
    }

    private var cookies: [Cookie] = []

    /// Stores the cookie of a `Set-Cookie` field in a response of `host` to a request for `path`.
    ///
    /// - Returns: `false` if the cookie was refused.
    @discardableResult
    mutating func take(_ field: String, host: String, path: String) -> Bool {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard let first = parts.first, let (name, value) = Self.pair(first), !name.isEmpty else { return false }
        var cookiePath = Self.directory(of: path)
        var isSecure = false
        var hasPath = false
        var isExpired = false
        for part in parts.dropFirst() {
            let (attribute, value) = Self.pair(part) ?? (part, "")
            switch attribute.lowercased() {
            case "path" where value.hasPrefix("/"):
                cookiePath = value
                hasPath = true
            case "secure": isSecure = true
            case "max-age": isExpired = (Int(value) ?? 0) <= 0
            case "domain": return false
            default: break
            }
        }
        if name.hasPrefix("__Host-"), !isSecure || !hasPath || cookiePath != "/" { return false }
        cookies.removeAll { $0.name == name && $0.host == host && $0.path == cookiePath }
        if !isExpired { cookies.append(Cookie(name: name, value: value, host: host, path: cookiePath)) }
        return true
    }

    /// Returns the value of the `Cookie` field for a request; `nil` if there are no cookies.
    func field(host: String, path: String) -> String? {
        let matching = cookies.filter { $0.host == host && Self.matches(path, cookiePath: $0.path) }
        return matching.isEmpty ? nil : matching.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Whether a path matches that of a cookie (RFC 6265 section 5.1.4).
    private static func matches(_ path: String, cookiePath: String) -> Bool {
        path == cookiePath || path.hasPrefix(cookiePath.hasSuffix("/") ? cookiePath : cookiePath + "/")
    }

    /// Returns the default path of a cookie (RFC 6265 section 5.1.4).
    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func pair(_ text: String) -> (name: String, value: String)? {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        return (trimmed(text[..<equals]), trimmed(text[text.index(after: equals)...]))
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        var end = start.endIndex
        while end > start.startIndex {
            let before = start.index(before: end)
            guard start[before] == " " || start[before] == "\t" else { break }
            end = before
        }
        return String(start[..<end])
    }
}
