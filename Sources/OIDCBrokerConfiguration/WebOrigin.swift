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
        /// A page of an extension of Firefox; its host is the UUID that Firefox gave the extension in this profile.
        case mozExtension = "moz-extension"
        /// A page in a hybrid app (Capacitor, Ionic and, by `app`, Cordova on iOS, Tauri on macOS, iOS and Linux).
        case capacitor, ionic, tauri, app

        /// The bytes in front of the host.
        package var prefix: [UInt8] { Array("\(rawValue)://".utf8) }
        /// The port where none is written; 0 if there are no ports.
        package var defaultPort: UInt16 {
            switch self {
            case .https: 443
            case .http: 80
            case .chromeExtension, .mozExtension, .capacitor, .ionic, .tauri, .app: 0
            }
        }
    }

    /// The maximum length of the text, in bytes: more than that of the longest scheme, name and port.
    package static let maximumLength = 300
    /// The length of the ID of an extension, in letters from a to p.
    private static let extensionIDLength = 32
    /// The length of a UUID (RFC 9562 section 4).
    private static let uuidLength = 36
    /// The host of the pages of hybrid apps.
    private static let localhost = Array("localhost".utf8)
    /// Hybrid apps made with Tauri have `tauri.localhost` on Windows and Android.
    private static let belowLocalhost = Array(".localhost".utf8)
    private static let loopbackHosts = ["localhost", "127.0.0.1", "[::1]"].map { Array($0.utf8) }

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
        switch scheme {
        case .chromeExtension, .mozExtension, .capacitor, .ionic, .tauri, .app:
            guard Self.isHost(rest, of: scheme) else { return nil }
            host = Array(rest)
            port = scheme.defaultPort
        case .https, .http:
            guard let authority = WebAuthority(rest) else { return nil }
            host = authority.host
            port = authority.port ?? scheme.defaultPort
        }
        self.scheme = scheme
    }

    /// The origin as browsers write it (HTML Standard, serialization of an origin): without the port of the scheme.
    package var text: String {
        // The host was read as ASCII.
        let name = String(validating: host, as: UTF8.self) ?? ""
        return "\(scheme.rawValue)://\(name)" + (port == scheme.defaultPort ? "" : ":\(port)")
    }

    /// Whether a text is the origin of a page that cannot be changed on the network, as a browser writes it.
    static func isWritten(_ text: String) -> Bool {
        guard let origin = WebOrigin(text), origin.text == text else { return false }
        return origin.scheme != .http || origin.isLoopback
    }

    /// Whether the host is this machine, as browsers know it (W3C Secure Contexts section 3.1).
    private var isLoopback: Bool {
        Self.loopbackHosts.contains(host) || host.suffix(Self.belowLocalhost.count).elementsEqual(Self.belowLocalhost)
    }

    /// Whether pages of many apps have the origin: it tells that a page is in a hybrid app, and not in which one. On
    /// Android hybrid apps have `https://localhost`, and those of Tauri `https://tauri.localhost`.
    package var isOfManyApps: Bool {
        switch scheme {
        case .capacitor, .ionic, .tauri, .app, .mozExtension: true
        case .https:
            port == scheme.defaultPort
                && (host == Self.localhost || host.suffix(Self.belowLocalhost.count).elementsEqual(Self.belowLocalhost))
        case .http, .chromeExtension: false
        }
    }

    private static func isHost(_ host: ArraySlice<UInt8>, of scheme: Scheme) -> Bool {
        switch scheme {
        case .chromeExtension: host.count == extensionIDLength && host.allSatisfy { (0x61...0x70).contains($0) }
        case .mozExtension:
            host.count == uuidLength
                && host.allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: "-")
                }
        default: host.elementsEqual(localhost)
        }
    }
}
