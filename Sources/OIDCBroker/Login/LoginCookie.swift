// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OpenIDConnect

/// The cookie of one login: it binds the login to the browser that began it.
///
/// Its attributes follow the public URL, never the listener: `__Host-` and Secure with https; with an http loopback URL
/// neither, and always Lax.
struct LoginCookie: Sendable {
    /// The most login cookies a browser keeps; the oldest beyond are deleted.
    static let maximumCount = 24

    /// What all names begin with.
    let prefix: String
    private let isSecure: Bool
    /// What stands behind the value of every cookie that is set, as the browser brings it back with a form or without.
    private let attributesOfSet: (lax: String, none: String)
    /// What stands behind the name of every cookie that is deleted.
    private let deletion: String

    init(publicURL: PublicURL) {
        isSecure = publicURL.isSecure
        prefix = publicURL.isSecure ? "__Host-oidc-" : "oidc-"
        let attributes = { (sameSite: String) in
            "; Path=/; Max-Age=\(LoginState.lifetime)"
                + Self.attributes(sameSite: sameSite, isSecure: publicURL.isSecure)
        }
        deletion = "=; Path=/; Max-Age=0" + Self.attributes(sameSite: "Lax", isSecure: publicURL.isSecure)
        attributesOfSet = (lax: attributes("Lax"), none: attributes("None"))
    }

    /// The name of a login's cookie: the prefix and the first 8 bytes of the login id.
    func name(loginID: [UInt8]) -> String { prefix + Base64URL.encode(loginID[..<8]) }

    /// The field that sets the cookie.
    func set(loginID: [UInt8], binding: [UInt8], responseMode: ResponseMode) -> HTTPField {
        var value = ""
        value.reserveCapacity(160)
        value += prefix
        value += Base64URL.encode(loginID[..<8])
        value += "="
        value += Base64URL.encode(binding)
        value += responseMode == .formPost && isSecure ? attributesOfSet.none : attributesOfSet.lax
        return .once(.setCookie, value)
    }

    /// The field that deletes a cookie.
    func delete(name: String) -> HTTPField {
        .once(.setCookie, name + deletion)
    }

    /// The binding value of a login.
    func binding(loginID: [UInt8], in cookies: Cookies) -> BindingValue {
        let values = cookies.values(name(loginID: loginID))
        guard values.count <= 1 else { return .duplicate }
        guard let value = values.first, let bytes = Base64URL.decode(String(value)), bytes.count == 32 else {
            return .absent
        }
        return .found(bytes)
    }

    /// The fields that delete the oldest login cookies, so that with one more there are at most ``maximumCount``.
    func evictions(in cookies: Cookies) -> [HTTPField] {
        var names: [Substring] = []
        for cookie in cookies.all where isOurs(cookie.name) && !names.contains(cookie.name) {
            names.append(cookie.name)
        }
        return names.prefix(max(0, names.count - (Self.maximumCount - 1))).map { delete(name: String($0)) }
    }

    /// No name of ours is longer, bytes.
    private static let longestName = 64

    /// Whether a cookie's name is spelled as we spell them: the prefix and the base64url of 8 bytes. An embedding
    /// application may have cookies that only begin like ours.
    private func isOurs(_ name: Substring) -> Bool {
        // By bytes: `hasPrefix` follows canonical equivalence. What is ours is ASCII, and may be compared in any way.
        name.utf8.count <= Self.longestName && name.utf8.starts(with: prefix.utf8)
            && Base64URL.decode(name.utf8.dropFirst(prefix.utf8.count))?.count == 8
    }

    private static func attributes(sameSite: String, isSecure: Bool) -> String {
        "; HttpOnly; SameSite=\(sameSite)" + (isSecure ? "; Secure" : "")
    }
}

/// What a browser's cookies say of a login.
enum BindingValue {
    case found([UInt8])
    case absent
    /// Two cookies of the name: somebody tossed one in.
    case duplicate
}
