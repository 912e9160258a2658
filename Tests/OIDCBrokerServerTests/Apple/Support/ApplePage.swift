// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The hidden fields of Apple's last page, read without a regular expression: for tests that read a thousand of them.
struct ApplePage: Sendable {
    /// Names and values, in their order.
    let fields: [(String, String)]

    init(_ html: String) {
        fields = html.components(separatedBy: "<input type=\"hidden\" name=\"").dropFirst().compactMap { part in
            let pieces = part.components(separatedBy: "\"")
            // name, " value=", value, the rest.
            guard pieces.count >= 4, pieces[1] == " value=" else { return nil }
            return (pieces[0], Self.unescaped(pieces[2]))
        }
    }

    /// `&amp;` last, so that nothing is decoded twice.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
