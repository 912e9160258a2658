// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDConnect

/// A bounded request to a provider, or to a receiver of webhooks: a POST if it has content, otherwise a GET.
public struct ProviderRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The content of a POST.
    public enum Content: Sendable {
        /// A form, sent as `application/x-www-form-urlencoded`.
        case form(String)
        /// Bytes with the header fields that belong to them, `content-type` among them.
        case bytes([UInt8], fields: [(name: String, value: String)])
    }

    /// The URL of the request.
    public var url: AbsoluteURL
    /// The value of the Authorization field, if there is one.
    public var authorization: String?
    /// The content of a POST; `nil` if the request is a GET.
    public var content: Content?
    /// The media types of the responses that are taken, as the value of the Accept field. The text is one of the code's own.
    public var accept = "application/json"
    /// The maximum size of the response body, in bytes. A longer response is refused.
    public var maximumResponseBytes: Int
    /// The deadline of the whole request.
    public var deadline: NIODeadline
    /// The trust, which determines the servers that the request may reach.
    public var trust: ProviderTrust
    /// Header fields beyond those that every request has, such as the ones of W3C Trace Context. The names are in lower
    /// case.
    public var additionalFields: [(name: String, value: String)] = []
    /// Whether the request carries a DPoP proof, so that the nonce and the time of its response are kept (RFC 9449
    /// section 8).
    package var isProved = false
    /// The owner of the request, such as a relying party. Owners share neither lookups nor connections, so that a host
    /// which fails for one does not affect another.
    package var owner: ObjectIdentifier?

    /// The form of a POST; `nil` if there is none.
    public var form: String? {
        guard case .form(let form)? = content else { return nil }
        return form
    }

    /// The method and the URL without its query. Nothing else of the request is shown.
    public var description: String { "\(content == nil ? "GET" : "POST") \(url.origin)\(url.path)" }
    /// An empty mirror, since the contents of a request may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Creates a request.
    public init(
        url: AbsoluteURL,
        authorization: String? = nil,
        content: Content? = nil,
        maximumResponseBytes: Int,
        deadline: NIODeadline,
        trust: ProviderTrust
    ) {
        self.url = url
        self.authorization = authorization
        self.content = content
        self.maximumResponseBytes = maximumResponseBytes
        self.deadline = deadline
        self.trust = trust
    }
}
