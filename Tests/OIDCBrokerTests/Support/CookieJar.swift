// SPDX-License-Identifier: Apache-2.0

import OIDCBroker

/// A browser's cookies of one host, in the order of their making.
struct CookieJar {
    struct Cookie {
        let name: String
        var value: String
        var expiry: Int64
        var sameSite: String
    }

    private(set) var cookies: [Cookie] = []

    /// Takes a Set-Cookie field. One with Max-Age=0 deletes; a `__Host-` name without what that demands is dropped.
    mutating func store(_ field: String, now: Int64) {
        let parts = field.split(separator: ";").map { part in String(part.drop { $0 == " " }) }
        guard let first = parts.first, let equals = first.firstIndex(of: "=") else { return }
        let name = String(first[..<equals])
        let value = String(first[first.index(after: equals)...])
        let attributes = parts.dropFirst()
        if name.hasPrefix("__Host-") {
            guard attributes.contains("Secure"), attributes.contains("Path=/"),
                !attributes.contains(where: { $0.hasPrefix("Domain") })
            else { return }
        }
        func attribute(_ name: String) -> String? {
            attributes.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        let age = attribute("Max-Age").flatMap { Int64($0) } ?? .max
        guard age > 0 else {
            cookies.removeAll { $0.name == name }
            return
        }
        let expiry = age == .max ? Int64.max : now + age
        let sameSite = attribute("SameSite") ?? "Lax"
        if let position = cookies.firstIndex(where: { $0.name == name }) {
            cookies[position].value = value
            cookies[position].expiry = expiry
            cookies[position].sameSite = sameSite
        } else {
            cookies.append(Cookie(name: name, value: value, expiry: expiry, sameSite: sameSite))
        }
    }

    /// Puts a cookie there that no server set, as a tossed one.
    mutating func toss(name: String, value: String) {
        cookies.append(Cookie(name: name, value: value, expiry: .max, sameSite: "Lax"))
    }

    /// Gives a cookie another value.
    mutating func replace(_ name: String, with value: String) {
        for position in cookies.indices where cookies[position].name == name { cookies[position].value = value }
    }

    /// The Cookie field; `nil` if there is no cookie to send.
    /// - Parameter onlyNone: whether only what is `SameSite=None` goes along, as with a cross-site POST.
    func field(now: Int64, onlyNone: Bool) -> String? {
        let sent = cookies.filter { $0.expiry > now && (!onlyNone || $0.sameSite == "None") }
        return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
