// SPDX-License-Identifier: Apache-2.0

/// The cookies of a browser, as far as a sign-in shows whether they were set rightly (RFC 6265bis): by host, Secure,
/// Path, Max-Age, SameSite, and what the prefix `__Host-` demands. In the order of their making.
public struct CookieJar: Sendable {
    /// A cookie that is kept.
    public struct Cookie: Sendable, Hashable {
        public let host: String
        public let name: String
        public var value: String
        public let path: String
        public let isSecure: Bool
        public let isHTTPOnly: Bool
        /// Lower case; empty where the server did not say.
        public let sameSite: String
        public let maximumAge: Int64?
        /// Unix time from which on it is not sent; `.max` if it lasts as long as the browser.
        public let expiry: Int64
    }

    /// The cookies, expired ones among them.
    public private(set) var cookies: [Cookie] = []

    /// An empty jar.
    public init() {}

    /// Takes a `Set-Cookie` field of a response. One with Max-Age=0 deletes.
    ///
    /// - Parameter now: Unix time, against which ages count; 0 throughout where no time passes.
    /// - Returns: false where a browser would not take it, or where it asks for what the broker never does: a Domain,
    ///   or no Path.
    @discardableResult
    public mutating func take(_ field: String, host: String, isSecure: Bool, now: Int64 = 0) -> Bool {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        guard let first = parts.first, let equals = first.firstIndex(of: "=") else { return false }
        let name = Self.trimmed(first[..<equals])
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            attributes[Self.trimmed(pair[0]).lowercased()] = pair.count == 2 ? Self.trimmed(pair[1]) : ""
        }
        let maximumAge = attributes["max-age"].flatMap { Int64($0) }
        let cookie = Cookie(
            host: host, name: name, value: Self.trimmed(first[first.index(after: equals)...]),
            path: attributes["path"] ?? "", isSecure: attributes["secure"] != nil,
            isHTTPOnly: attributes["httponly"] != nil, sameSite: (attributes["samesite"] ?? "").lowercased(),
            maximumAge: maximumAge, expiry: Self.expiry(maximumAge, now: now))
        guard !name.isEmpty, attributes["domain"] == nil, cookie.path.hasPrefix("/"), isSecure || !cookie.isSecure
        else { return false }
        if name.hasPrefix("__Host-"), !cookie.isSecure || cookie.path != "/" { return false }
        if cookie.sameSite == "none", !cookie.isSecure { return false }
        let isSame = { (other: Cookie) in other.host == host && other.name == name && other.path == cookie.path }
        if let maximumAge, maximumAge <= 0 {
            cookies.removeAll(where: isSame)
        } else if let position = cookies.firstIndex(where: isSame) {
            // It keeps its place (RFC 6265 section 5.3, step 11).
            cookies[position] = cookie
        } else {
            cookies.append(cookie)
        }
        return true
    }

    /// Puts a cookie there that no server set, as a tossed one, beside one of the same name.
    public mutating func toss(name: String, value: String, host: String) {
        cookies.append(
            Cookie(
                host: host, name: name, value: value, path: "/", isSecure: false, isHTTPOnly: false, sameSite: "",
                maximumAge: nil, expiry: .max))
    }

    /// Gives a cookie another value.
    public mutating func replace(_ name: String, with value: String) {
        for position in cookies.indices where cookies[position].name == name { cookies[position].value = value }
    }

    /// The `Cookie` field of a request; `nil` if nothing is to be sent.
    ///
    /// - Parameter isCrossSitePost: such a request gets only what says `SameSite=None`.
    public func field(
        host: String, path: String, isSecure: Bool, isCrossSitePost: Bool, now: Int64 = 0
    ) -> String? {
        let sent = cookies.filter { cookie in
            cookie.host == host && (isSecure || !cookie.isSecure) && Self.matches(path, cookie.path)
                && (!isCrossSitePost || cookie.sameSite == "none") && cookie.expiry > now
        }
        return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// RFC 6265 section 5.1.4.
    private static func matches(_ path: String, _ cookiePath: String) -> Bool {
        path == cookiePath || path.hasPrefix(cookiePath.hasSuffix("/") ? cookiePath : cookiePath + "/")
    }

    private static func expiry(_ age: Int64?, now: Int64) -> Int64 {
        guard let age else { return .max }
        let (expiry, isOver) = now.addingReportingOverflow(age)
        return isOver ? .max : expiry
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var characters = Array(text.drop { $0 == " " || $0 == "\t" })
        while characters.last == " " || characters.last == "\t" { characters.removeLast() }
        return String(characters)
    }
}
