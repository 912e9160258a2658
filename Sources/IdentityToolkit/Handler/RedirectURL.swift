// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration

/// The page of a web app to which a start at the handler page says that the result goes: `redirectUrl`.
///
/// It is an origin of the form of `WebOrigin` with anything behind it that a URL may have. Whatever could make a
/// browser see another origin than this type is refused, a backslash anywhere among it.
struct RedirectURL: Sendable, Hashable {
    /// The maximum length, in bytes.
    static let maximumLength = 1024

    /// The URL as it was received, visible ASCII.
    let text: String
    /// The origin.
    let origin: WebOrigin
    /// The number of bytes in front of the fragment.
    private let fragmentStart: Int

    /// Reads a received URL; `nil` if it has another form, or is too long.
    init?(_ received: WireText) {
        guard let text = received.visibleASCII(atMost: Self.maximumLength) else { return nil }
        let bytes = Array(text.utf8)
        guard !bytes.contains(UInt8(ascii: "\\")), let end = Self.originEnd(bytes),
            let origin = WebOrigin(String(Substring(text.utf8.prefix(end))))
        else { return nil }
        self.text = text
        self.origin = origin
        fragmentStart = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    }

    /// The fragment of the page without `#`; `nil` if it has none.
    var fragment: String? {
        guard text.utf8.count > fragmentStart + 1 else { return nil }
        return String(Substring(text.utf8.dropFirst(fragmentStart + 1)))
    }

    /// Returns the URL with another fragment.
    /// - Parameter fragment: The fragment without `#`.
    func location(fragment: String) -> String {
        String(Substring(text.utf8.prefix(fragmentStart))) + "#" + fragment
    }

    /// The number of bytes of the origin; `nil` if there is no scheme.
    private static func originEnd(_ bytes: [UInt8]) -> Int? {
        guard let scheme = WebOrigin.Scheme.allCases.first(where: { bytes.starts(with: $0.prefix) }) else { return nil }
        return bytes[scheme.prefix.count...].firstIndex { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        } ?? bytes.count
    }
}
