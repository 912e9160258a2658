// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import NIOCore
package import OIDCBrokerPages

/// A complete response of the broker. The sender adds `content-length`.
public struct BrokerResponse: Sendable {
    /// The status and the header fields.
    public var head: HTTPResponse
    /// The body, which may be empty.
    public var body: ByteBuffer
    /// How the request ended, for the line about it: a name from a closed list; `nil` if nothing is known.
    package var outcome: String?
    /// The reference of the login, or of the page about what has none; `nil` if there is none.
    package var reference: PageReference?
    /// Whether the connection closes after the response. HTTP/2 has no such responses.
    package var endsConnection = false
    /// The time until the client may ask again, in seconds, if it is over its rate; otherwise `nil`. Until then, the
    /// standalone server does not read the connection, unless its peer is a proxy.
    package var pause: Int64?

    /// Creates a response.
    public init(head: HTTPResponse, body: ByteBuffer = ByteBuffer()) {
        self.head = head
        self.body = body
    }

    /// Returns the response with what the line about its request says.
    package func noting(_ outcome: String, _ reference: PageReference? = nil) -> BrokerResponse {
        var response = self
        response.outcome = outcome
        response.reference = reference
        return response
    }

    /// Returns the response with what the line about its request says of another one, in whose place it is sent.
    package func noting(of other: BrokerResponse) -> BrokerResponse {
        var response = self
        response.outcome = other.outcome
        response.reference = other.reference
        response.pause = other.pause
        return response
    }

    /// Returns the response as the last one of its connection, so that a client that is refused holds none.
    package func endingConnection() -> BrokerResponse {
        var response = self
        response.endsConnection = true
        return response
    }

    /// Returns the response with a ``pause``, in seconds.
    package func pausing(for time: Int64) -> BrokerResponse {
        var response = self
        response.pause = time
        return response
    }

    /// Returns a short plain-text response that is not cached.
    public static func plain(status: HTTPResponse.Status, _ text: StaticString) -> BrokerResponse {
        var fields = ResponseFields.common
        fields[.contentType] = "text/plain; charset=utf-8"
        return BrokerResponse(
            head: HTTPResponse(status: status, headerFields: fields),
            body: ByteBuffer(staticString: text))
    }

    /// Returns a response to a method that the target does not support.
    /// - Parameter allowed: The methods for `Allow` (RFC 9110 section 10.2.1).
    package static func methodNotAllowed(_ allowed: String) -> BrokerResponse {
        var response = BrokerResponse.plain(status: .methodNotAllowed, "That method is not allowed here.\n")
        response.head.headerFields[.allow] = allowed
        return response
    }

    /// Returns a page.
    package static func page(_ page: Page) -> BrokerResponse {
        var fields = ResponseFields.common
        fields[.contentType] = "text/html; charset=utf-8"
        fields[.contentSecurityPolicy] = page.contentSecurityPolicy
        fields[.referrerPolicy] = page.referrerPolicy
        fields[.permissionsPolicy] = ResponseFields.permissionsPolicy
        fields[.frameOptions] = "DENY"
        if page.status == .serviceUnavailable { fields[.retryAfter] = "5" }
        return BrokerResponse(
            head: HTTPResponse(status: page.status, headerFields: fields), body: ByteBuffer(string: page.html))
    }

    /// Returns a redirect with status 303, never 302 or 307 (RFC 9700 section 4.12).
    package static func seeOther(_ location: String) -> BrokerResponse {
        var fields = ResponseFields.common
        // Capacity for the common fields, Location, one cookie, and the length that the sender adds.
        fields.reserveCapacity(6)
        fields.append(.once(.location, location))
        return BrokerResponse(head: HTTPResponse(status: .seeOther, headerFields: fields))
    }

    /// Returns a JSON response that is not cached.
    package static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> BrokerResponse {
        var fields = ResponseFields.common
        fields[.contentType] = "application/json"
        return BrokerResponse(
            head: HTTPResponse(status: status, headerFields: fields), body: ByteBuffer(bytes: bytes))
    }
}
