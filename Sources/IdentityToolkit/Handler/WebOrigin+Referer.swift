// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration

extension WebOrigin {
    /// The origin of a page, by its URL as a browser writes it; `nil` if it has another form. The page may have any length:
    /// nothing behind its origin is read.
    init?(ofPage url: String.UTF8View) {
        guard let (origin, _) = Self.ofPage(url) else { return nil }
        self = origin
    }

    /// Returns the origin of a page, and how many bytes of its URL that is.
    static func ofPage(_ url: String.UTF8View) -> (origin: WebOrigin, length: Int)? {
        let bytes = Array(url.prefix(maximumLength + 1))
        guard let scheme = Scheme.allCases.first(where: { bytes.starts(with: $0.prefix) }) else { return nil }
        let end = bytes[scheme.prefix.count...].firstIndex { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        }
        let length = end ?? bytes.count
        return WebOrigin(String(Substring(url.prefix(length)))).map { ($0, length) }
    }
}
