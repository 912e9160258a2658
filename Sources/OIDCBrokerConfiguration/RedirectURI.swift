// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// A redirect URI of an app (RFC 6749 section 3.1.2, RFC 8252 section 7).
///
/// It is compared as an exact string, except for the port of a loopback redirect URI (RFC 8252 section 7.3). A text
/// that looks like a pattern is therefore refused.
package struct RedirectURI: Sendable, Hashable {
    /// The kind of the redirect URI.
    package enum Kind: Sendable, Hashable {
        /// An https URL.
        case https
        /// An http URL on a loopback host; its port is not compared (RFC 8252 section 7.3).
        case loopback
        /// A private-use scheme in reverse-domain form (RFC 8252 section 7.1).
        case privateUse
    }

    /// The text as it is configured.
    package let text: String
    /// The kind of the redirect URI.
    package let kind: Kind
    /// Whether one web site alone has it, so that data sent there reaches no other site. On Android hybrid apps answer
    /// `https://localhost` themselves, each in its own pages.
    package let isOfOneSite: Bool

    /// A description of redirect URIs. It completes the sentence "expected …".
    package static let expectation =
        "exact URIs without fragment, wildcard or user information: https, http on localhost, 127.0.0.1 or [::1], or a "
        + "private-use scheme with a dot such as com.example.app"

    /// The maximum length of a redirect URI, in bytes.
    package static let maximumLength = AbsoluteURL.maximumLength

    /// Creates a redirect URI; `nil` if the text does not match ``expectation``.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.refused.contains($0) })
        else { return nil }
        if let url = AbsoluteURL(text) {
            if url.isHTTPS {
                kind = .https
                isOfOneSite = WebOrigin(url.origin)?.isOfManyApps != true
            } else if url.isLoopback {
                kind = .loopback
                isOfOneSite = false
            } else {
                return nil
            }
        } else {
            guard Self.isPrivateUse(text) else { return nil }
            kind = .privateUse
            isOfOneSite = false
        }
        self.text = text
        // A loopback URI that is rebuilt with its own port must be the same text: otherwise the callback would not
        // match the redirect URI again.
        guard kind != .loopback || replacingPort(loopbackPort) == text else { return nil }
    }

    /// Returns the number of the first text that is not a redirect URI, and why it is none; `nil` if all are.
    static func reason(of texts: [String]) -> String? {
        guard let index = texts.firstIndex(where: { RedirectURI($0) == nil }) else { return nil }
        return "entry \(index + 1) \(reason(texts[index]))"
    }

    private static func reason(_ text: String) -> String {
        if text.isEmpty { return "is empty" }
        if text.utf8.count > maximumLength { return "has more than \(maximumLength) bytes" }
        if text.utf8.contains(UInt8(ascii: "#")) { return "has a fragment (#)" }
        if text.utf8.contains(UInt8(ascii: "*")) { return "has a wildcard (*)" }
        if text.utf8.contains(where: { !(0x21...0x7E).contains($0) || refused.contains($0) }) {
            return "has a space or another character that no URI has"
        }
        if let url = AbsoluteURL(text), !url.isHTTPS, !url.isLoopback {
            return "is http beyond this machine: use https"
        }
        // A host with a port has a colon too.
        if text.drop(while: { $0 != ":" }).dropFirst().first?.isNumber ?? !text.contains(":") {
            return "has no scheme such as https://"
        }
        if !text.hasPrefix("http"), !text.prefix(while: { $0 != ":" }).contains(".") {
            return "has a scheme without a dot: use one such as com.example.app:/callback"
        }
        return "is not such a URI"
    }

    /// The part that is shown to the user: the host, or the private-use scheme.
    package var displayed: String {
        AbsoluteURL(text)?.authority ?? String(text.prefix { $0 != ":" })
    }

    /// Whether the query contains a parameter of the authorization response (RFC 6749 section 4.1.2, RFC 9207 section
    /// 2), which the app would then receive twice.
    package var hasReservedParameter: Bool {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
        return text.utf8[text.utf8.index(after: mark)...].split(separator: UInt8(ascii: "&")).contains { pair in
            let name = try? FormURLEncoding.decode(pair.prefix { $0 != UInt8(ascii: "=") })
            return Self.reservedParameters.contains { name?.hasSameBytes(asASCII: $0) == true }
        }
    }

    private static let reservedParameters = ["code", "state", "iss", "error", "error_description"]

    /// Returns whether a redirect URI that an app sent is this one: exactly, or except for the port on a loopback host.
    package func matches(_ sent: RedirectURI) -> Bool {
        guard kind == .loopback, sent.kind == .loopback else { return text == sent.text }
        return replacingPort(0) == sent.replacingPort(0)
    }

    /// The explicit port of a loopback URI; 0 if there is none, and for any other kind.
    package var loopbackPort: UInt16 {
        guard kind == .loopback else { return 0 }
        return UInt16(AbsoluteURL(text)?.port ?? 0)
    }

    /// Returns a loopback URI with another port, or without a port if it is 0. Any other kind is returned unchanged.
    package func replacingPort(_ port: UInt16) -> String {
        guard kind == .loopback, let url = AbsoluteURL(text) else { return text }
        let host = url.host.contains(":") ? "[\(url.host)]" : url.host
        return "\(url.scheme)://\(host)\(port == 0 ? "" : ":\(port)")\(url.path)" + (url.query.map { "?\($0)" } ?? "")
    }

    /// The characters that are refused: `#`, `*`, `\`, and those that no URI contains unencoded (RFC 3986 appendix A).
    private static let refused = Set("#*\\\"<>^`{|}".utf8)

    private static func isPrivateUse(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon]
        // The dot makes it a domain name in reverse, which its owner controls, and excludes http, file, javascript,
        // data and the like.
        guard let first = scheme.utf8.first, (0x61...0x7A).contains(first), scheme.utf8.contains(0x2E),
            scheme.utf8.last != 0x2E, scheme.utf8.allSatisfy(isSchemeByte)
        else { return false }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("/") else { return false }
        guard rest.hasPrefix("//") else { return true }
        return !rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }.contains("@")
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }
}
