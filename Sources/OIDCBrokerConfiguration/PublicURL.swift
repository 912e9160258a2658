// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The URL at which user agents, apps and providers reach the broker: `auth.public-url`.
///
/// It is always configured and never derived from `Host` or a forwarding header. It consists of scheme, host and port;
/// the path is ``BrokerConfiguration/pathPrefix``.
public struct PublicURL: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, which is `https`, or `http` for a loopback host.
    public let scheme: String
    /// The host in lower case. An IPv6 address has no brackets.
    public let host: String
    /// The port; `nil` if it is the default port of the scheme.
    public let port: Int?
    /// The authority as in a `Host` header: `host` or `host:port`, without the default port of the scheme.
    public let authority: String
    /// Whether the host is `localhost`, in 127.0.0.0/8, or `[::1]`.
    public let isLoopback: Bool

    /// A description of a public URL. It completes the sentence "expected …".
    package static let expectation =
        "an https URL (http only for a loopback host) without path, query, fragment or user information"

    /// Creates a public URL; `nil` if the text is not one: http is accepted for a loopback host only, and there must be
    /// no path, query, fragment or user information.
    public init?(_ text: String) {
        guard let url = AbsoluteURL(text), url.path.isEmpty, url.query == nil, url.isHTTPS || url.isLoopback else {
            return nil
        }
        self.init(url)
    }

    /// Returns how to mend a text that is not a public URL, after a semicolon; nothing if that is not known.
    package static func advice(for text: String) -> String {
        guard let url = AbsoluteURL(text) else {
            if text.utf8.contains(where: { $0 > 0x7E }) { return "; write the host in ASCII, as xn--..." }
            return text.contains("://") || text.isEmpty ? "" : "; begin it with https://"
        }
        if url.path == "/", url.query == nil { return "; remove the slash at its end" }
        if !url.path.isEmpty { return "; the path belongs in auth.path-prefix" }
        return url.isHTTPS || url.isLoopback ? "" : "; use https"
    }

    private init(_ url: AbsoluteURL) {
        scheme = url.scheme
        host = url.host
        port = url.port == (url.isHTTPS ? 443 : 80) ? nil : url.port
        authority = url.authority
        isLoopback = url.isLoopback
    }

    /// Returns a replacement for a public URL that is an error, with which the other keys are validated. It keeps the
    /// host if there is one, so that the rules for loopback hosts are applied correctly.
    static func standIn(for text: String?) -> PublicURL {
        text.flatMap { AbsoluteURL($0) }.map { PublicURL($0) } ?? placeholder
    }

    /// The public URL before it has been read.
    static let placeholder = PublicURL(host: "public-url.invalid")

    private init(host: String) {
        scheme = "https"
        self.host = host
        port = nil
        authority = host
        isLoopback = false
    }

    /// The origin (RFC 6454), which is scheme, host and port without a trailing slash.
    public var origin: String { "\(scheme)://\(authority)" }

    /// Whether the scheme is https, which determines the names and attributes of cookies.
    public var isSecure: Bool { scheme == "https" }

    public var description: String { origin }
}
