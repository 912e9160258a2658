// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The client ID and secret from an Authorization header: HTTP Basic with both parts form-encoded (RFC 6749 section
/// 2.3.1).
struct BasicCredentials {
    let user: WireText
    let password: WireText

    /// The maximum length of the header, in bytes: a client ID and a secret of maximum length, escaped.
    static let longestHeader = 4096

    init?(_ header: WireText) {
        guard let header = header.ascii(atMost: Self.longestHeader) else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decode(String(parts[1])),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let user = try? FormURLEncoding.decode(bytes[..<colon]),
            let password = try? FormURLEncoding.decode(bytes[(colon + 1)...]), !user.isEmpty, !password.isEmpty
        else { return nil }
        self.user = user
        self.password = password
    }
}
