// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDConnect

/// A complete response without the header fields that frame it.
package struct SentResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns a JSON document that may be cached: metadata and keys.
    package static func document(_ object: JSONObject) -> SentResponse {
        SentResponse(status: 200, headers: [("content-type", "application/json")], body: object.serialized())
    }

    /// Returns a JSON response that must not be cached (RFC 6749 section 5.1).
    package static func json(_ object: JSONObject, status: Int = 200) -> SentResponse {
        SentResponse(
            status: status,
            headers: [("content-type", "application/json"), ("cache-control", "no-store"), ("pragma", "no-cache")],
            body: object.serialized())
    }

    /// Returns an error of the token endpoint (RFC 6749 section 5.2).
    package static func error(_ code: String, _ description: String, status: Int = 400) -> SentResponse {
        json(["error": .string(code), "error_description": .string(description)], status: status)
    }

    /// Returns a page.
    package static func page(_ page: ProviderPage, status: Int = 200) -> SentResponse {
        SentResponse(
            status: status,
            headers: [
                ("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store"),
                ("content-security-policy", ProviderPage.contentSecurityPolicy), ("x-frame-options", "DENY"),
                ("x-content-type-options", "nosniff"), ("referrer-policy", "strict-origin"),
            ],
            body: Array(page.html.utf8))
    }

    /// Returns a redirect. Its status is never 307, which would repeat a form with a password (RFC 9700 section 4.12).
    package static func redirect(to location: String, status: Int = 303) -> SentResponse {
        SentResponse(
            status: status,
            headers: [("location", location), ("cache-control", "no-store"), ("referrer-policy", "no-referrer")],
            body: [])
    }

    /// Returns an authorization response in the requested mode.
    package static func authorization(
        to redirectURI: String, _ parameters: [(String, String)], in mode: ResponseMode
    ) -> SentResponse {
        let text = FormURLEncoding.encode(parameters)
        return switch mode {
        case .formPost: page(ProviderPages.formPost(to: redirectURI, parameters))
        case .fragment: redirect(to: redirectURI + "#" + text)
        default: redirect(to: redirectURI + (redirectURI.contains("?") ? "&" : "?") + text)
        }
    }

    /// Returns a plain text.
    package static func plain(status: Int, _ text: String, headers: [(name: String, value: String)] = [])
        -> SentResponse
    {
        SentResponse(
            status: status,
            headers: [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")] + headers,
            body: Array((text + "\n").utf8))
    }

    /// A response with status 503, like that of a proxy in front of an unavailable provider.
    package static let unavailable = plain(status: 503, "Service Unavailable")

    /// Returns a response with a `Retry-After` field (RFC 9110 section 10.2.3).
    package static func later(status: Int, _ text: String) -> SentResponse {
        plain(status: status, text, headers: [("retry-after", "7")])
    }
}

extension [UInt8] {
    /// Returns the text of the object with an additional member at its end, which may be a duplicate.
    package func appendingMember(_ name: String, _ value: JSONValue) -> [UInt8] {
        var rest = JSONObject()
        rest[name] = value
        return Array(dropLast()) + [UInt8(ascii: ",")] + Array(rest.serialized().dropFirst())
    }
}
