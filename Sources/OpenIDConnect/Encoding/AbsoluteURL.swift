// SPDX-License-Identifier: Apache-2.0

/// An http or https URL, read by a single strict parser.
///
/// User information, backslashes, white space, control characters, non-ASCII characters, an empty host, a port outside
/// 1...65535, and a fragment are refused. The original text is kept, since issuers are compared exactly.
public struct AbsoluteURL: Sendable, Hashable, CustomStringConvertible {
    /// The parts of the URL behind one reference, because values with URLs are copied often.
    private final class Parts: Sendable {
        let text: String
        let scheme: String
        let host: String
        let port: Int?
        let path: String
        let query: String?

        init(text: String, scheme: String, host: String, port: Int?, path: String, query: String?) {
            self.text = text
            self.scheme = scheme
            self.host = host
            self.port = port
            self.path = path
            self.query = query
        }
    }

    private let parts: Parts

    /// The original text of the URL.
    public var text: String { parts.text }
    /// `http` or `https`.
    public var scheme: String { parts.scheme }
    /// The host in lower case; an IPv6 address without brackets.
    public var host: String { parts.host }
    /// The port; `nil` if the URL does not contain one.
    public var port: Int? { parts.port }
    /// The path as written; it may be empty.
    public var path: String { parts.path }
    /// The query after `?` as written; `nil` if there is none.
    public var query: String? { parts.query }

    /// The maximum length of a URL, in bytes.
    package static let maximumLength = 2048

    /// Parses a URL; `nil` if the text does not follow the rules above.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x5C && $0 != 0x23 })
        else { return nil }
        let scheme: String
        let rest: Substring
        if text.hasPrefix("https://") {
            scheme = "https"
            rest = text.dropFirst(8)
        } else if text.hasPrefix("http://") {
            scheme = "http"
            rest = text.dropFirst(7)
        } else {
            return nil
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let (host, port) = Self.hostAndPort(authority) else { return nil }
        let tail = rest[authority.endIndex...]
        var path = String(tail)
        var query: String?
        if let mark = tail.firstIndex(of: "?") {
            path = String(tail[..<mark])
            query = String(tail[tail.index(after: mark)...])
        }
        parts = Parts(text: text, scheme: scheme, host: host, port: port, path: path, query: query)
    }

    /// Compares only the texts, which determine all parts.
    public static func == (left: AbsoluteURL, right: AbsoluteURL) -> Bool {
        left.parts === right.parts || left.text == right.text
    }

    /// Hashes only the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The `host` or `host:port` of a `Host` header, without the default port of the scheme.
    public var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        guard let port, port != (isHTTPS ? 443 : 80) else { return name }
        return "\(name):\(port)"
    }

    /// The origin of the URL: scheme, host and port (RFC 6454).
    public var origin: String { "\(scheme)://\(authority)" }

    /// Whether the scheme is https.
    public var isHTTPS: Bool { scheme == "https" }

    /// Whether the host is the local machine: `localhost`, 127.0.0.0/8 or `::1`.
    public var isLoopback: Bool { Self.isLoopback(host: host) }

    public var description: String { text }

    /// Whether a host is the local machine: `localhost`, 127.0.0.0/8 or `::1`.
    public static func isLoopback(host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy {
                !$0.isEmpty && $0.utf8.count <= 3 && $0.utf8.allSatisfy(isDigit) && (Int($0) ?? 256) < 256
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func hostAndPort(_ authority: Substring) -> (String, Int?)? {
        var host: Substring
        var rest: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
            guard host.contains(":"), host.utf8.allSatisfy({ $0 == 0x3A || $0 == 0x2E || isHexadecimal($0) }) else {
                return nil
            }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority[host.endIndex...]
            guard host.utf8.allSatisfy(isHostByte) else { return nil }
        }
        guard !host.isEmpty, host.utf8.count <= 253 else { return nil }
        guard !rest.isEmpty else { return (host.lowercased(), nil) }
        guard rest.first == ":" else { return nil }
        rest = rest.dropFirst()
        guard !rest.isEmpty, rest.utf8.count <= 5, rest.utf8.allSatisfy(isDigit), let port = Int(rest),
            (1...65535).contains(port)
        else { return nil }
        return (host.lowercased(), port)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
            || byte == 0x5F
    }
}
