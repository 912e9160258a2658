// SPDX-License-Identifier: Apache-2.0

/// A response of a target, as far as it is needed.
package struct TargetResponse: Sendable, Hashable {
    /// The HTTP status.
    package var status: Int
    /// The Location field.
    package var location: String?
    /// The Set-Cookie fields.
    package var setCookies: [String]
    /// The body.
    package var body: [UInt8]
    /// What the browser says that made the request; `nil` if the request was made by this tool.
    package var browser: BrowserReply?

    /// Creates a response.
    package init(status: Int, location: String? = nil, setCookies: [String] = [], body: [UInt8] = []) {
        self.status = status
        self.location = location
        self.setCookies = setCookies
        self.body = body
    }

    /// The fields that a reader must keep for ``init(_:)``.
    package static let fields = ["location", "set-cookie"] + BrowserReply.fields

    /// Creates a response from an HTTP/1.1 response.
    package init(_ message: HTTP1Message) {
        self.init(
            status: message.status, location: message.first("location"), setCookies: message.values("set-cookie"),
            body: message.body)
        browser = BrowserReply(message)
    }
}
