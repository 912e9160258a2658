// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDConnect

/// A bounded request to a provider: a POST if it has a form, otherwise a GET.
public struct ProviderRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The URL of the request.
    public var url: AbsoluteURL
    /// The value of the Authorization field, if there is one.
    public var authorization: String?
    /// The form of a POST; `nil` if the request is a GET.
    public var form: String?
    /// The maximum size of the response body, in bytes. A longer response is refused.
    public var maximumResponseBytes: Int
    /// The deadline of the whole request.
    public var deadline: NIODeadline
    /// The trust, which determines the servers that the request may reach.
    public var trust: ProviderTrust
    /// The owner of the request, such as a relying party. Owners share neither lookups nor connections, so that a host
    /// which fails for one does not affect another.
    package var owner: ObjectIdentifier?

    /// The method and the URL without its query. Nothing else of the request is shown.
    public var description: String { "\(form == nil ? "GET" : "POST") \(url.origin)\(url.path)" }
    /// An empty mirror, since the contents of a request may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Creates a request.
    public init(
        url: AbsoluteURL,
        authorization: String? = nil,
        form: String? = nil,
        maximumResponseBytes: Int,
        deadline: NIODeadline,
        trust: ProviderTrust
    ) {
        self.url = url
        self.authorization = authorization
        self.form = form
        self.maximumResponseBytes = maximumResponseBytes
        self.deadline = deadline
        self.trust = trust
    }
}
