// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
import JOSE
package import OIDCBrokerConfiguration
package import OIDCBrokerHTTP
package import OpenIDConnect

/// The cookie of one login, which binds the login to the browser that began it.
///
/// Its attributes depend on the public URL, never on the listener: `__Host-` and Secure with https, neither with an
/// http loopback URL, which always uses `SameSite=Lax`.
///
/// The value is the base64url of the binding value. Behind a dot follows that of the app's `state`, if it does not fit
/// into the sealed one (``LoginState/keepAppStateInCookie()``).
package struct LoginCookie: Sendable {
    /// The maximum number of login cookies in a browser. The oldest beyond that are deleted.
    package static let maximumCount = 24
    /// The maximum length of all login cookies of a browser in a request, in bytes. Proxies take 8 KB a field.
    package static let maximumByteCount = 6144

    /// The prefix of all cookie names.
    package let prefix: String
    private let isSecure: Bool
    /// The attributes after the value of each cookie, for callbacks without and with a cross-site form.
    private let attributesOfSet: (lax: String, none: String)
    /// The attributes of those that live longer, after their lifetime.
    private let attributesOfLongerSet: (lax: String, none: String)
    /// The text after the name of each deleted cookie.
    private let deletion: String

    /// Creates the cookies of a broker at this URL.
    package init(publicURL: PublicURL) {
        isSecure = publicURL.isSecure
        prefix = publicURL.isSecure ? "__Host-oidc-" : "oidc-"
        let attributes = { (sameSite: String) in
            "; Path=/; Max-Age=\(LoginState.lifetime)"
                + Self.attributes(sameSite: sameSite, isSecure: publicURL.isSecure)
        }
        deletion = "=; Path=/; Max-Age=0" + Self.attributes(sameSite: "Lax", isSecure: publicURL.isSecure)
        attributesOfSet = (lax: attributes("Lax"), none: attributes("None"))
        attributesOfLongerSet = (
            lax: Self.attributes(sameSite: "Lax", isSecure: publicURL.isSecure),
            none: Self.attributes(sameSite: "None", isSecure: publicURL.isSecure)
        )
    }

    /// Returns the name of a login's cookie: the prefix and the first 8 bytes of the login ID.
    package func name(loginID: [UInt8]) -> String { prefix + Base64URL.encode(loginID[..<8]) }

    /// Returns the field that sets the cookie.
    /// - Parameters:
    ///   - lifetime: How long the login may take, in seconds.
    ///   - appState: The app's `state` if it is kept here; otherwise `nil`.
    package func set(
        loginID: [UInt8], binding: [UInt8], responseMode: ResponseMode, lifetime: Int64 = LoginState.lifetime,
        appState: String? = nil
    ) -> HTTPField {
        var value = ""
        value.reserveCapacity(160)
        value += prefix
        value += Base64URL.encode(loginID[..<8])
        value += "="
        value += Base64URL.encode(binding)
        if let appState { value += "." + Base64URL.encode(Array(appState.utf8)) }
        let isNone = responseMode.carrier == .formPost && isSecure
        if lifetime == LoginState.lifetime {
            value += isNone ? attributesOfSet.none : attributesOfSet.lax
        } else {
            value += "; Path=/; Max-Age=\(lifetime)"
            value += isNone ? attributesOfLongerSet.none : attributesOfLongerSet.lax
        }
        return .once(.setCookie, value)
    }

    /// Returns the field that deletes a cookie.
    package func delete(name: String) -> HTTPField {
        .once(.setCookie, name + deletion)
    }

    /// Returns the binding value of a login.
    package func binding(loginID: [UInt8], in cookies: Cookies) -> BindingValue {
        let values = cookies.values(name(loginID: loginID))
        guard values.count <= 1 else { return .duplicate }
        guard let value = values.first, let bytes = Self.binding(in: value) else { return .absent }
        return .found(bytes)
    }

    /// Returns the app's `state` that is kept in the cookie of a login; `nil` if there is none.
    package func appState(loginID: [UInt8], in cookies: Cookies) -> String? {
        guard let value = cookies.values(name(loginID: loginID)).first,
            let dot = value.utf8.firstIndex(of: UInt8(ascii: ".")),
            let bytes = Base64URL.decode(String(value[value.utf8.index(after: dot)...]))
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the binding value in the value of a cookie.
    private static func binding(in value: Substring) -> [UInt8]? {
        var value = value
        // The base64url of 32 bytes has 43 characters.
        if value.utf8.count > 43, let dot = value.utf8.firstIndex(of: UInt8(ascii: ".")) { value = value[..<dot] }
        guard let bytes = Base64URL.decode(String(value)), bytes.count == 32 else { return nil }
        return bytes
    }

    /// Returns what the binding values of the logins in this browser begin with; `nil` if there is none in progress.
    package func browser(in cookies: Cookies) -> [UInt8]? {
        for cookie in cookies.all where isOurs(cookie.name) {
            if let bytes = Self.binding(in: cookie.value) {
                return Array(bytes[..<LoginEntropy.browserByteCount])
            }
        }
        return nil
    }

    /// Returns the fields that delete the oldest login cookies, so that with a new one there are at most
    /// ``maximumCount`` of at most ``maximumByteCount`` together.
    /// - Parameter count: The number of bytes of the new one.
    package func evictions(in cookies: Cookies, besides count: Int = 0) -> [HTTPField] {
        var names: [Substring] = []
        var counts: [Int] = []
        var total = count
        for cookie in cookies.all where isOurs(cookie.name) && !names.contains(cookie.name) {
            names.append(cookie.name)
            // With `=`, and `; ` before the next one.
            counts.append(cookie.name.utf8.count + cookie.value.utf8.count + 3)
            total += counts[counts.count - 1]
        }
        var evicted = 0
        while evicted < names.count, names.count - evicted >= Self.maximumCount || total > Self.maximumByteCount {
            total -= counts[evicted]
            evicted += 1
        }
        return names.prefix(evicted).map { delete(name: String($0)) }
    }

    /// The maximum length of a login cookie's name, in bytes.
    private static let longestName = 64

    /// Whether a name is that of a login cookie: the prefix and the base64url of 8 bytes. An embedding application may
    /// have cookies that only begin with the prefix.
    private func isOurs(_ name: Substring) -> Bool {
        // Compares bytes, because `hasPrefix` follows canonical equivalence. The broker's names are ASCII.
        name.utf8.count <= Self.longestName && name.utf8.starts(with: prefix.utf8)
            && Base64URL.decode(name.utf8.dropFirst(prefix.utf8.count))?.count == 8
    }

    private static func attributes(sameSite: String, isSecure: Bool) -> String {
        "; HttpOnly; SameSite=\(sameSite)" + (isSecure ? "; Secure" : "")
    }
}

/// The binding value of a login in the cookies of a browser.
package enum BindingValue {
    /// The value.
    case found([UInt8])
    /// There is no cookie of this name, or its value cannot be one.
    case absent
    /// There are two cookies of this name. One of them was planted.
    case duplicate
}
