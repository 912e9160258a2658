// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RawStructuredFieldValues

/// The browser's own word on what a request is (W3C Fetch Metadata), read as structured fields.
enum FetchMetadata {
    /// Whether a request may be what it claims to be: a person's browser going to a page. A browser that does not send
    /// the fields is let through; one that says `Mode` is not `navigate` or `Dest` not `document` is not. A field that
    /// can not be read as a token is refused.
    static func isNavigation(_ fields: HTTPFields) -> Bool {
        isAbsentOr("navigate", fields[.secFetchMode]) && isAbsentOr("document", fields[.secFetchDestination])
    }

    /// Whether a form was sent by a page of this origin, or by a browser that does not say. A browser hides its origin
    /// (`null`) where a referrer policy tells it to; its own word, which no page can set, counts then.
    static func isSameOrigin(_ fields: HTTPFields, origin: String) -> Bool {
        guard isAbsentOr("same-origin", fields[.secFetchSite]) else { return false }
        switch fields[.origin] {
        case nil: return true
        case "null": return fields[.secFetchSite] != nil
        case let sent?: return sent == origin
        }
    }

    /// Whether the browser only looks ahead (`Sec-Purpose: prefetch`): nothing may be used up then.
    static func isPrefetch(_ fields: HTTPFields) -> Bool {
        guard let value = fields[.secPurpose] else { return false }
        return token(value) == "prefetch"
    }

    private static func isAbsentOr(_ expected: String, _ value: String?) -> Bool {
        guard let value else { return true }
        return token(value) == expected
    }

    /// The token of an item; a quoted string is not a token.
    private static func token(_ value: String) -> String? {
        var parser = StructuredFieldValueParser(Array(value.utf8))
        guard let item = try? parser.parseItemFieldValue(), case .token(let token) = item.rfc9651BareItem else {
            return nil
        }
        return token
    }
}
