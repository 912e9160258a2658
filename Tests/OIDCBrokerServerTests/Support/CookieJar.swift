// SPDX-License-Identifier: Apache-2.0

/// The cookies of a browser, as far as a sign-in shows whether they were set rightly (RFC 6265bis): by host, Secure,
/// Path, Max-Age, SameSite, and what the prefix `__Host-` demands.
struct CookieJar: Sendable {
    /// A cookie that is kept.
    struct Cookie: Sendable, Hashable {
        let host: String
        let name: String
        let value: String
        let path: String
        let isSecure: Bool
        let isHTTPOnly: Bool
        /// Lower case; empty where the server did not say.
        let sameSite: String
        let maximumAge: Int?
    }

    private(set) var cookies: [Cookie] = []

    /// Takes a `Set-Cookie` field of a response.
    ///
    /// - Returns: false where a browser would not take it.
    @discardableResult
    mutating func take(_ field: String, host: String, isSecure: Bool) -> Bool {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        guard let first = parts.first, let equals = first.firstIndex(of: "=") else { return false }
        let name = Self.trimmed(first[..<equals])
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            attributes[pair[0].lowercased()] = pair.count == 2 ? Self.trimmed(pair[1]) : ""
        }
        let cookie = Cookie(
            host: host, name: name, value: Self.trimmed(first[first.index(after: equals)...]),
            path: attributes["path"] ?? "", isSecure: attributes["secure"] != nil,
            isHTTPOnly: attributes["httponly"] != nil, sameSite: (attributes["samesite"] ?? "").lowercased(),
            maximumAge: attributes["max-age"].flatMap { Int($0) })
        guard attributes["domain"] == nil, cookie.path.hasPrefix("/"), isSecure || !cookie.isSecure else {
            return false
        }
        if name.hasPrefix("__Host-"), !cookie.isSecure || cookie.path != "/" { return false }
        if cookie.sameSite == "none", !cookie.isSecure { return false }
        cookies.removeAll { $0.host == host && $0.name == name && $0.path == cookie.path }
        if (cookie.maximumAge ?? 1) > 0 { cookies.append(cookie) }
        return true
    }

    /// The `Cookie` field of a request; `nil` if nothing is to be sent.
    ///
    /// - Parameter isCrossSitePost: such a request gets only what says `SameSite=None`.
    func field(host: String, path: String, isSecure: Bool, isCrossSitePost: Bool) -> String? {
        let sent = cookies.filter { cookie in
            cookie.host == host && (isSecure || !cookie.isSecure) && Self.matches(path, cookie.path)
                && (!isCrossSitePost || cookie.sameSite == "none")
        }
        return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// RFC 6265 section 5.1.4.
    private static func matches(_ path: String, _ cookiePath: String) -> Bool {
        path == cookiePath || path.hasPrefix(cookiePath.hasSuffix("/") ? cookiePath : cookiePath + "/")
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var characters = Array(text.drop { $0 == " " })
        while characters.last == " " { characters.removeLast() }
        return String(characters)
    }
}
