// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import NIOCore

/// The broker's response, whole. Whoever sends it adds `content-length`.
public struct BrokerResponse: Sendable {
    /// Status and header fields.
    public var head: HTTPResponse
    /// The body, possibly empty.
    public var body: ByteBuffer

    /// A response.
    public init(head: HTTPResponse, body: ByteBuffer = ByteBuffer()) {
        self.head = head
        self.body = body
    }

    /// A short plain-text answer that no cache keeps.
    public static func plain(status: HTTPResponse.Status, _ text: StaticString) -> BrokerResponse {
        var fields = ResponseFields.common
        fields[.contentType] = "text/plain; charset=utf-8"
        return BrokerResponse(
            head: HTTPResponse(status: status, headerFields: fields),
            body: ByteBuffer(staticString: text))
    }

    /// A page.
    static func page(_ page: Page) -> BrokerResponse {
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

    /// 303 (never 302 or 307: RFC 9700 section 4.12).
    static func seeOther(_ location: String) -> BrokerResponse {
        var fields = ResponseFields.common
        // Location, one cookie, and the length that the sender adds.
        fields.reserveCapacity(6)
        fields.append(.once(.location, location))
        return BrokerResponse(head: HTTPResponse(status: .seeOther, headerFields: fields))
    }

    /// JSON that no cache keeps.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> BrokerResponse {
        var fields = ResponseFields.common
        fields[.contentType] = "application/json"
        return BrokerResponse(
            head: HTTPResponse(status: status, headerFields: fields), body: ByteBuffer(bytes: bytes))
    }
}
