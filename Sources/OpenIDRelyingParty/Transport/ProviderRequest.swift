// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDConnect

/// One bounded request to a provider. With a form it is a POST, without one a GET.
public struct ProviderRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// Where it goes.
    public var url: AbsoluteURL
    /// The Authorization header's value, where there is one.
    public var authorization: String?
    /// The form of a POST; nil for a GET.
    public var form: String?
    /// A longer answer is refused.
    public var maximumResponseBytes: Int
    /// When the whole of it must be done.
    public var deadline: NIODeadline
    /// Whom it may reach.
    public var trust: ProviderTrust
    /// On whose behalf it is sent: one owner's trouble with a host, in its lookups or connections, is not another's.
    package var owner: ObjectIdentifier?

    /// Where it goes; never what it carries.
    public var description: String { "\(form == nil ? "GET" : "POST") \(url.origin)\(url.path)" }
    /// Nothing of what it carries.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// A request.
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
