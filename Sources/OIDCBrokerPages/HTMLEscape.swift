// SPDX-License-Identifier: Apache-2.0

/// Escaping of text for HTML: for element content, and for attribute values in double or single quotes.
///
/// It is deliberately strict: all five significant characters are always replaced, and control characters (C0 with tab
/// and line breaks, DEL, C1) are removed, since the broker's texts do not need them and browsers remove some of them
/// when they parse a URL, after any check.
package enum HTMLEscape {
    /// Returns the text with `&`, `<`, `>`, `"` and `'` as character references and without control characters.
    ///
    /// - Complexity: O(*n*), where *n* is the length of `text`.
    package static func text(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isControl(scalar) {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Returns a link target that is safe to follow, not yet escaped; `nil` if the URL is not.
    ///
    /// A path on this host (`/…`, not `//…`) is allowed, and an absolute URL of any scheme except those that run script
    /// or show content of the page's own making. Private-use schemes of apps (RFC 8252 section 7.1) are allowed. The
    /// check applies to the text without control characters and spaces, which is what a browser would read.
    package static func linkTarget(_ url: String) -> String? {
        let target = String(String.UnicodeScalarView(url.unicodeScalars.filter { !isControl($0) && $0 != " " }))
        if target.hasPrefix("/") {
            return target.hasPrefix("//") || target.hasPrefix("/\\") ? nil : target
        }
        guard let colon = target.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = target[..<colon].lowercased()
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            scheme.utf8.allSatisfy(isSchemeByte), !forbiddenSchemes.contains(scheme)
        else { return nil }
        return target
    }

    private static let forbiddenSchemes: Set<String> = [
        "about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source",
    ]

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// Whether a lower-case byte may be in a scheme (RFC 3986 section 3.1).
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
