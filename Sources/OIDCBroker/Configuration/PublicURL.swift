// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The URL under which browsers, apps and providers reach the broker: `auth.public-url`.
///
/// It is configuration, never derived from `Host` or a forwarding header. Only scheme, host and port: the path is
/// ``BrokerConfiguration/pathPrefix``.
public struct PublicURL: Sendable, Hashable, CustomStringConvertible {
    /// `https`, or `http` for a loopback host.
    public let scheme: String
    /// The host, lower case; an IPv6 address without its brackets.
    public let host: String
    /// The port where it is not the scheme's own.
    public let port: Int?
    /// `host` or `host:port`, as it stands in a Host header; the scheme's own port left out.
    public let authority: String
    /// Whether the host is `localhost`, in 127.0.0.0/8, or `[::1]`.
    public let isLoopback: Bool

    /// What a public URL is; completes the sentence "expected …".
    package static let expectation =
        "an https URL (http only for a loopback host) without path, query, fragment or user information"

    /// Reads a public URL; `nil` for anything else: only a loopback host may have http, and
    /// there is no path, query, fragment or user information.
    public init?(_ text: String) {
        guard let url = AbsoluteURL(text), url.path.isEmpty, url.query == nil, url.isHTTPS || url.isLoopback else {
            return nil
        }
        self.init(url)
    }

    private init(_ url: AbsoluteURL) {
        scheme = url.scheme
        host = url.host
        port = url.port == (url.isHTTPS ? 443 : 80) ? nil : url.port
        authority = url.authority
        isLoopback = url.isLoopback
    }

    /// Stands in while the other keys are validated, where the public URL itself is an error: keeps its host where there
    /// is one, so that what depends on loopback is validated rightly.
    static func standIn(for text: String?) -> PublicURL {
        text.flatMap { AbsoluteURL($0) }.map { PublicURL($0) } ?? placeholder
    }

    /// The public URL before one is read.
    static let placeholder = PublicURL(host: "public-url.invalid")

    private init(host: String) {
        scheme = "https"
        self.host = host
        port = nil
        authority = host
        isLoopback = false
    }

    /// Scheme, host and port (RFC 6454), without a trailing slash.
    public var origin: String { "\(scheme)://\(authority)" }

    /// Whether the scheme is https: decides cookie names and attributes.
    public var isSecure: Bool { scheme == "https" }

    public var description: String { origin }
}
