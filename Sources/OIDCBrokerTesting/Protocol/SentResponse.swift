// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A whole response as the listener will write it, without the fields that frame it.
struct SentResponse: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    /// A JSON document that may be kept: metadata and keys.
    static func document(_ object: JSONObject) -> SentResponse {
        SentResponse(status: 200, headers: [("content-type", "application/json")], body: object.serialized())
    }

    /// A JSON answer that nobody may keep (RFC 6749 section 5.1).
    static func json(_ object: JSONObject, status: Int = 200) -> SentResponse {
        SentResponse(
            status: status,
            headers: [("content-type", "application/json"), ("cache-control", "no-store"), ("pragma", "no-cache")],
            body: object.serialized())
    }

    /// An error of the token endpoint (RFC 6749 section 5.2).
    static func error(_ code: String, _ description: String, status: Int = 400) -> SentResponse {
        json(["error": .string(code), "error_description": .string(description)], status: status)
    }

    /// A page for a person.
    static func page(_ page: ProviderPage, status: Int = 200) -> SentResponse {
        SentResponse(
            status: status,
            headers: [
                ("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store"),
                ("content-security-policy", ProviderPage.contentSecurityPolicy), ("x-frame-options", "DENY"),
                ("x-content-type-options", "nosniff"), ("referrer-policy", "strict-origin"),
            ],
            body: Array(page.html.utf8))
    }

    /// A redirect. Never 307 for a form that held a password (RFC 9700 section 4.12).
    static func redirect(to location: String, status: Int = 303) -> SentResponse {
        SentResponse(
            status: status,
            headers: [("location", location), ("cache-control", "no-store"), ("referrer-policy", "no-referrer")],
            body: [])
    }

    /// A few words in plain text.
    static func plain(status: Int, _ text: String, headers: [(name: String, value: String)] = []) -> SentResponse {
        SentResponse(
            status: status,
            headers: [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")] + headers,
            body: Array((text + "\n").utf8))
    }

    /// 503, as a provider answers that is down behind its own front.
    static let unavailable = plain(status: 503, "Service Unavailable")

    /// A response that says when to come again (RFC 9110 section 10.2.3).
    static func later(status: Int, _ text: String) -> SentResponse {
        plain(status: status, text, headers: [("retry-after", "7")])
    }
}

extension [UInt8] {
    /// The text of a JSON object with one more member at its end, also one that is there already.
    func appendingMember(_ name: String, _ value: JSONValue) -> [UInt8] {
        var rest = JSONObject()
        rest[name] = value
        return Array(dropLast()) + [UInt8(ascii: ",")] + Array(rest.serialized().dropFirst())
    }
}
