// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration

/// The page of a web app to which a start at the handler page says that the result goes: `redirectUrl`.
///
/// It is an origin of the form of `WebOrigin` with anything behind it that a URL may have. Whatever could make a
/// browser see another origin than this type is refused. A backslash behind the origin is a part of the path, of the query
/// or of the fragment to every browser.
struct RedirectURL: Sendable, Hashable {
    /// The maximum length, in bytes: 8 KB.
    static let maximumLength = 8192

    /// The URL as it was received, visible ASCII.
    let text: String
    /// The origin.
    let origin: WebOrigin
    /// What stands behind the origin: empty, or it begins with `/`, `?` or `#`.
    let rest: String

    /// Reads a received URL; `nil` if it has another form, or is too long.
    init?(_ received: WireText) {
        guard let text = received.visibleASCII(atMost: Self.maximumLength),
            let (origin, length) = WebOrigin.ofPage(text.utf8)
        else { return nil }
        self.text = text
        self.origin = origin
        rest = String(Substring(text.utf8.dropFirst(length)))
    }

    /// The fragment of the page without `#`; `nil` if it has none.
    var fragment: String? {
        let fragment = text.utf8.drop { $0 != UInt8(ascii: "#") }.dropFirst()
        return fragment.isEmpty ? nil : String(Substring(fragment))
    }

    /// Returns the URL with another fragment.
    /// - Parameter fragment: The fragment without `#`.
    func location(fragment: String) -> String {
        String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "#") })) + "#" + fragment
    }
}
