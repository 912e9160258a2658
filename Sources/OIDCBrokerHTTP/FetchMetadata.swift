// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
import RawStructuredFieldValues

/// The browser's description of a request (W3C Fetch Metadata), read as structured fields.
package enum FetchMetadata {
    /// The maximum length of a value, in bytes. A longer one does not come from a browser and is treated like an
    /// unreadable one.
    package static let maximumLength = 256

    /// Whether a request may be a navigation of a browser to a document. A browser that does not send the fields is
    /// allowed; one whose `Sec-Fetch-Mode` is not `navigate` or whose `Sec-Fetch-Dest` is not `document` is not, except
    /// that a service worker passed it on. A field that cannot be read as a token is refused.
    package static func isDocumentNavigation(_ request: BrokerRequest) -> Bool {
        let isNavigation =
            isAbsentOr("navigate", request.headerFields[.secFetchMode])
            && isAbsentOr("document", request.headerFields[.secFetchDestination])
        return isNavigation || isPassedOn(request)
    }

    /// Whether a service worker of this origin passed a navigation on (`respondWith(fetch(event.request))`): a GET with
    /// the destination `empty`. Chromium keeps the mode `navigate`, which a page's own `fetch` never has. Firefox sends
    /// `same-origin`, which browsers never send to another origin (Fetch Standard, `Request` constructor and main fetch).
    /// The site is not checked: Chromium sends that of the whole navigation, `cross-site` after a provider's redirect.
    private static func isPassedOn(_ request: BrokerRequest) -> Bool {
        request.method == .get
            && (isRequest("navigate", for: "empty", request.headerFields)
                || isRequest("same-origin", for: "empty", request.headerFields))
    }

    /// Whether a request is the navigation of a frame in a page: a GET with the destination `iframe`.
    package static func isFrame(_ request: BrokerRequest) -> Bool {
        request.method == .get && isRequest("navigate", for: "iframe", request.headerFields)
    }

    /// Whether a browser says that a request has a mode and a destination.
    private static func isRequest(_ expected: String, for destination: String, _ fields: HTTPFields) -> Bool {
        guard let mode = fields[.secFetchMode], let sent = fields[.secFetchDestination] else { return false }
        return isToken(destination, sent) && isToken(expected, mode)
    }

    /// Whether a request may be a navigation of a browser. Of a form the mode alone decides: a service worker passes a
    /// navigation on with the destination `empty`, and what a page sends by `fetch` never has that mode.
    package static func isNavigation(_ request: BrokerRequest) -> Bool {
        guard request.method == .post else { return isDocumentNavigation(request) }
        return isAbsentOr("navigate", request.headerFields[.secFetchMode])
    }

    /// Whether another site's page loads it as a part of itself, which no endpoint for browsers serves.
    package static func isForeignSubresource(_ request: BrokerRequest) -> Bool {
        isOfAnotherOrigin(request.headerFields) && !isNavigation(request)
    }

    /// Whether a page of another origin had the browser send the request, also as a navigation: `same-site`, `cross-site`,
    /// and what cannot be read.
    package static func isOfAnotherOrigin(_ fields: HTTPFields) -> Bool {
        guard let site = fields[.secFetchSite] else { return false }
        return !isToken("same-origin", site) && !isToken("none", site)
    }

    /// Whether a form was sent by a page of this origin, or by a browser that does not say. A browser hides its origin
    /// (`null`) if a referrer policy requires it. Then `Sec-Fetch-Site` is used, which no page can set.
    package static func isSameOrigin(_ fields: HTTPFields, origin: String) -> Bool {
        guard isAbsentOr("same-origin", fields[.secFetchSite]) else { return false }
        guard let sent = fields[.origin] else { return true }
        if isSame(sent, "null") { return fields[.secFetchSite] != nil }
        return isSame(sent, origin)
    }

    /// Whether the browser prefetches the page (`Sec-Purpose: prefetch`), in which case nothing may be used up.
    package static func isPrefetch(_ fields: HTTPFields) -> Bool {
        guard let value = fields[.secPurpose] else { return false }
        return isToken("prefetch", value)
    }

    private static func isAbsentOr(_ expected: String, _ value: String?) -> Bool {
        guard let value else { return true }
        return isToken(expected, value)
    }

    /// Whether an item is the given token. A quoted string is not a token.
    private static func isToken(_ expected: String, _ value: String) -> Bool {
        // Browsers send the bare token: small letters and hyphens need no parser.
        guard value.utf8.contains(where: { !isBare($0) }) else { return isSame(value, expected) }
        guard value.utf8.count <= maximumLength else { return false }
        var parser = StructuredFieldValueParser(Array(value.utf8))
        guard let item = try? parser.parseItemFieldValue(), case .token(let token) = item.rfc9651BareItem else {
            return false
        }
        return isSame(token, expected)
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "-")
    }

    /// Whether two texts are equal byte for byte. Received text is never compared by Unicode equivalence.
    private static func isSame(_ text: String, _ other: String) -> Bool {
        text.utf8.count == other.utf8.count && text.utf8.elementsEqual(other.utf8)
    }
}
