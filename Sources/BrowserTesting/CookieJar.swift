// SPDX-License-Identifier: Apache-2.0

/// The cookies of a browser, as far as a sign-in shows whether they were set rightly (RFC 6265bis): by host, Secure,
/// Path, Max-Age, SameSite, and what the prefix `__Host-` demands. In the order of their making.
package struct CookieJar: Sendable, Hashable {
    /// A cookie that is kept.
    package struct Cookie: Sendable, Hashable {
        package let host: String
        package let name: String
        package var value: String
        package let path: String
        package let isSecure: Bool
        package let isHTTPOnly: Bool
        /// Lower case; empty where the server did not say.
        package let sameSite: String
        package let maximumAge: Int64?
        /// Unix time from which on it is not sent; `.max` if it lasts as long as the browser.
        package let expiry: Int64
    }

    /// The cookies, expired ones among them.
    package private(set) var cookies: [Cookie] = []

    /// An empty jar.
    package init() {}

    /// Takes a `Set-Cookie` field of a response. One with Max-Age=0 deletes.
    ///
    /// `now` is Unix time, against which ages count; 0 throughout where no time passes.
    ///
    /// - Returns: false where a browser would not take it, or where it asks for what the broker never does: a Domain,
    ///   or no Path.
    @discardableResult
    package mutating func take(_ field: String, host: String, isSecure: Bool, now: Int64 = 0) -> Bool {
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
        set(cookie, isDeletion: maximumAge.map { $0 <= 0 } ?? false)
        return true
    }

    /// Stores a cookie in the place of the one with its host, name and path, or deletes that one.
    private mutating func set(_ cookie: Cookie, isDeletion: Bool) {
        let isSame = { (other: Cookie) in
            other.name == cookie.name && other.host == cookie.host && other.path == cookie.path
        }
        if isDeletion {
            cookies.removeAll(where: isSame)
        } else if let position = cookies.firstIndex(where: isSame) {
            // It keeps its place (RFC 6265 section 5.3, step 11).
            cookies[position] = cookie
        } else {
            cookies.append(cookie)
        }
    }

    /// Puts a cookie there that no server set, as a tossed one, beside one of the same name.
    package mutating func toss(name: String, value: String, host: String) {
        cookies.append(Self.bare(name, value, host: host))
    }

    private static func bare(_ name: String, _ value: String, host: String) -> Cookie {
        Cookie(
            host: host, name: name, value: value, path: "/", isSecure: false, isHTTPOnly: false, sameSite: "",
            maximumAge: nil, expiry: .max)
    }

    /// Gives a cookie another value.
    package mutating func replace(_ name: String, with value: String) {
        for position in cookies.indices where cookies[position].name == name { cookies[position].value = value }
    }

    /// The `Cookie` field of a request; `nil` if nothing is to be sent.
    ///
    /// A cross-site POST gets only what says `SameSite=None`.
    package func field(
        host: String, path: String, isSecure: Bool, isCrossSitePost: Bool, now: Int64 = 0
    ) -> String? {
        let sent = cookies.filter { cookie in
            cookie.host == host && (isSecure || !cookie.isSecure) && Self.matches(path, cookie.path)
                && (!isCrossSitePost || cookie.sameSite == "none") && cookie.expiry > now
        }
        return Self.field(sent)
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

    // MARK: One origin

    /// Takes a `Set-Cookie` field where all requests go to one origin on loopback, whatever the server is: only the name,
    /// the value and a deletion count.
    ///
    /// - Returns: The name and value; `nil` if the field deletes the cookie or is not valid.
    @discardableResult
    package mutating func store(_ field: String) -> (name: String, value: String)? {
        let bytes = Array(field.utf8)
        let pair = bytes.prefix { $0 != UInt8(ascii: ";") }
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(decoding: pair[..<equals].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        let value = String(decoding: pair[(equals + 1)...], as: UTF8.self)
        let isDeletion = value.isEmpty || Self.isDeletion(bytes[pair.endIndex...])
        set(Self.bare(name, value, host: ""), isDeletion: isDeletion)
        return isDeletion ? nil : (name, value)
    }

    /// The `Cookie` field for the one origin; `nil` if there are no cookies.
    package var field: String? { Self.field(cookies) }

    private static func field(_ sent: [Cookie]) -> String? {
        guard let first = sent.first else { return nil }
        if sent.count == 1 { return "\(first.name)=\(first.value)" }
        return sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Removes all cookies.
    package mutating func removeAll() { cookies.removeAll(keepingCapacity: true) }

    /// Whether the attributes delete the cookie, in one of the ways that servers use.
    private static func isDeletion(_ attributes: ArraySlice<UInt8>) -> Bool {
        let lower = attributes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return ends.contains { end in lower.indices.contains { lower[$0...].starts(with: end) } }
    }

    private static let ends = ["max-age=0", "max-age=-", "01 jan 1970", "01-jan-1970"].map { Array($0.utf8) }
}
