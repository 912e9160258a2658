// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDConnect

/// One webhook on its way: a POST of JSON with the fields of its signature. Prints where it goes, never what it
/// carries.
public struct WebhookRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// Where it goes: what the operator configured, in whatever network that is.
    public var url: AbsoluteURL
    /// The header fields, `content-type` among them, in their order.
    public var fields: [(name: String, value: String)]
    /// The body, JSON (UTF-8).
    public var body: [UInt8]
    /// When the whole of it must be done.
    public var deadline: NIODeadline

    /// A request.
    public init(url: AbsoluteURL, fields: [(name: String, value: String)], body: [UInt8], deadline: NIODeadline) {
        self.url = url
        self.fields = fields
        self.body = body
        self.deadline = deadline
    }

    public var description: String { "POST \(url.origin)\(url.path)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
