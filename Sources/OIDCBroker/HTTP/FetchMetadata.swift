// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RawStructuredFieldValues

/// The browser's own word on what a request is (W3C Fetch Metadata), read as structured fields.
enum FetchMetadata {
    /// A longer value, in bytes, is not what a browser sends: it is as one that cannot be read.
    static let maximumLength = 256

    /// Whether a request may be what it claims to be: a person's browser going to a page. A browser that does not send
    /// the fields is let through; one that says `Mode` is not `navigate` or `Dest` not `document` is not. A field that
    /// cannot be read as a token is refused.
    static func isNavigation(_ fields: HTTPFields) -> Bool {
        isAbsentOr("navigate", fields[.secFetchMode]) && isAbsentOr("document", fields[.secFetchDestination])
    }

    /// Whether a form was sent by a page of this origin, or by a browser that does not say. A browser hides its origin
    /// (`null`) where a referrer policy tells it to; its own word, which no page can set, counts then.
    static func isSameOrigin(_ fields: HTTPFields, origin: String) -> Bool {
        guard isAbsentOr("same-origin", fields[.secFetchSite]) else { return false }
        guard let sent = fields[.origin] else { return true }
        if isSame(sent, "null") { return fields[.secFetchSite] != nil }
        return isSame(sent, origin)
    }

    /// Whether the browser only looks ahead (`Sec-Purpose: prefetch`): nothing may be used up then.
    static func isPrefetch(_ fields: HTTPFields) -> Bool {
        guard let value = fields[.secPurpose] else { return false }
        return isToken("prefetch", value)
    }

    private static func isAbsentOr(_ expected: String, _ value: String?) -> Bool {
        guard let value else { return true }
        return isToken(expected, value)
    }

    /// Whether an item is that token; a quoted string is not a token.
    private static func isToken(_ expected: String, _ value: String) -> Bool {
        guard value.utf8.count <= maximumLength else { return false }
        var parser = StructuredFieldValueParser(Array(value.utf8))
        guard let item = try? parser.parseItemFieldValue(), case .token(let token) = item.rfc9651BareItem else {
            return false
        }
        return isSame(token, expected)
    }

    /// Byte for byte: text off a socket is never compared as Unicode.
    private static func isSame(_ text: String, _ other: String) -> Bool {
        text.utf8.count == other.utf8.count && text.utf8.elementsEqual(other.utf8)
    }
}
