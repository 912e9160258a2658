// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import TestingSupport

/// The jar of a ``Browser``, which knows one host only: the broker's.
extension CookieJar {
    /// Stands for the broker's host, whatever its public URL says.
    static let broker = "auth.example.com"

    /// The Cookie field for the broker's callback; `nil` if there is no cookie to send.
    /// - Parameter onlyNone: whether only what is `SameSite=None` goes along, as with a cross-site POST.
    func field(now: Int64, onlyNone: Bool) -> String? {
        field(host: Self.broker, path: Installation.handler, isSecure: true, isCrossSitePost: onlyNone, now: now)
    }

    /// Puts a cookie there that no server set, as a tossed one.
    mutating func toss(name: String, value: String) {
        toss(name: name, value: value, host: Self.broker)
    }
}
