// SPDX-License-Identifier: Apache-2.0

/// The origin of a web page, as a browser writes it into the field `Origin` (RFC 6454 section 7): `scheme://host` or
/// `scheme://host:port`.
///
/// It is read strictly: a path, even `/`, user information, white space, a list of origins and `null` are refused, and
/// so is every scheme but those of ``Scheme``, in lower case.
package struct WebOrigin: Sendable, Hashable {
    /// The scheme of an origin.
    package enum Scheme: String, Sendable, Hashable, CaseIterable {
        case https
        case http
        /// A page of an extension of a browser; its host is the ID of the extension.
        case chromeExtension = "chrome-extension"

        /// The bytes in front of the host.
        var prefix: [UInt8] { Array("\(rawValue)://".utf8) }
        /// The port where none is written; 0 if there are no ports.
        var defaultPort: UInt16 {
            switch self {
            case .https: 443
            case .http: 80
            case .chromeExtension: 0
            }
        }
    }

    /// The maximum length of the text, in bytes: more than that of the longest scheme, name and port.
    package static let maximumLength = 300
    /// The length of the ID of an extension, in letters from a to p.
    private static let extensionIDLength = 32

    /// The scheme.
    package let scheme: Scheme
    /// The host in lower case; an IPv6 address with its brackets.
    package let host: [UInt8]
    /// The port, also where it is the one of the scheme and is not written.
    package let port: UInt16

    /// Reads a received text; `nil` if it is not an origin of this form.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let bytes = Array(text.utf8)
        guard let scheme = Scheme.allCases.first(where: { bytes.starts(with: $0.prefix) }) else { return nil }
        let rest = bytes[scheme.prefix.count...]
        if scheme == .chromeExtension {
            guard rest.count == Self.extensionIDLength, rest.allSatisfy({ (0x61...0x70).contains($0) }) else {
                return nil
            }
            host = Array(rest)
            port = scheme.defaultPort
        } else {
            guard let authority = WebAuthority(rest) else { return nil }
            host = authority.host
            port = authority.port ?? scheme.defaultPort
        }
        self.scheme = scheme
    }
}
