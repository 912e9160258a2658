// SPDX-License-Identifier: Apache-2.0

/// A browser as a value, which a program acts in: what it adds to a request, and what it keeps of a response. It sends
/// nothing itself and follows nothing.
package struct ActingBrowser: Sendable {
    /// Where a request comes from, as `Sec-Fetch-Site` has it.
    package enum Site: String, Sendable {
        case none
        case sameOrigin = "same-origin"
        case sameSite = "same-site"
        case crossSite = "cross-site"
    }

    /// A cookie that a browser would not take.
    package struct CookieRefusal: Error, CustomStringConvertible {
        /// The whole field.
        package let field: String

        /// Without the value, which may be a secret.
        package var description: String { "a browser would not take the cookie \(field.prefix { $0 != "=" })" }
    }

    /// The cookies so far.
    package var jar = CookieJar()
    /// Whether it sends `Sec-Fetch-*`.
    package var sendsFetchMetadata: Bool
    /// Whether it drops every cookie from a cross-site POST, `SameSite=None` or not.
    package var withholdsCrossSiteCookies = false

    /// A browser without cookies.
    package init(sendsFetchMetadata: Bool = true) {
        self.sendsFetchMetadata = sendsFetchMetadata
    }

    /// The fields that it adds to a navigation, with their names in lower case.
    ///
    /// `path` is without its query, and `now` is Unix time, against which the ages of cookies count; 0 throughout where no
    /// time passes.
    package func fields(
        host: String, path: String, isSecure: Bool, isPost: Bool = false, from site: Site, now: Int64 = 0
    ) -> [(name: String, value: String)] {
        let isCrossSitePost = isPost && site == .crossSite
        var fields: [(name: String, value: String)] = []
        if sendsFetchMetadata {
            fields = [
                ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document"), ("sec-fetch-site", site.rawValue),
            ]
        }
        guard !isCrossSitePost || !withholdsCrossSiteCookies else { return fields }
        let cookies = jar.field(
            host: host, path: path, isSecure: isSecure, isCrossSitePost: isCrossSitePost, now: now)
        return fields + (cookies.map { [("cookie", $0)] } ?? [])
    }

    /// Takes the `Set-Cookie` fields of a response.
    ///
    /// - Throws: `CookieRefusal` for the first that a browser would not take.
    package mutating func take(
        _ setCookies: some Sequence<String>, host: String, isSecure: Bool, now: Int64 = 0
    ) throws(CookieRefusal) {
        for field in setCookies where !jar.take(field, host: host, isSecure: isSecure, now: now) {
            throw CookieRefusal(field: field)
        }
    }
}
